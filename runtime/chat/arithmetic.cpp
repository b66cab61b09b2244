// Arithmetic with Python's rules: floor division, true division, repetition.
#include "runtime/chat/operators.hpp"
#include "runtime/chat/printf_format.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime::chat {

namespace {

[[noreturn]] void fail_overflow(rendering &run) {
  run.fail(failure::overflow, "an integer needs more than 64 bits");
}

[[noreturn]] void fail_operands(rendering &run, const value &a,
                                std::string_view symbol, const value &b) {
  const std::string name(symbol == "**" ? "** or pow()" : symbol);
  run.fail(failure::type, "unsupported operand type(s) for " + name + ": '" +
                              type_name(a) + "' and '" + type_name(b) + "'");
}

value whole_power(rendering &run, std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 0)
      run.fail(failure::zero_division,
               "0.0 cannot be raised to a negative power");
    return std::pow(static_cast<double>(base), static_cast<double>(exponent));
  }
  std::int64_t out = 1;
  if (base == 0 || base == 1)
    return exponent == 0 ? out : base;
  if (base == -1)
    return exponent % 2 ? base : out;
  for (; exponent > 0; --exponent) // ends by overflow within 63 rounds
    if (__builtin_mul_overflow(out, base, &out))
      fail_overflow(run);
  return out;
}

value whole_arithmetic(rendering &run, std::int64_t a, std::string_view symbol,
                       std::int64_t b) {
  std::int64_t out = 0;
  bool overflows = false;
  if (symbol == "+") {
    overflows = __builtin_add_overflow(a, b, &out);
  } else if (symbol == "-") {
    overflows = __builtin_sub_overflow(a, b, &out);
  } else if (symbol == "*") {
    overflows = __builtin_mul_overflow(a, b, &out);
  } else if (symbol == "**") {
    return whole_power(run, a, b);
  } else {
    if (b == 0)
      run.fail(failure::zero_division,
               symbol == "/" ? "division by zero"
                             : "integer division or modulo by zero");
    if (symbol == "/")
      return static_cast<double>(a) / static_cast<double>(b);
    if (b == -1) // the quotient of the lowest integer does not fit
      return symbol == "%" ? value(0) : negative(run, a);
    const bool inexact = a % b != 0 && (a < 0) != (b < 0);
    out = symbol == "//" ? a / b - inexact : a % b + (inexact ? b : 0);
  }
  if (overflows)
    fail_overflow(run);
  return out;
}

value real_arithmetic(rendering &run, double a, std::string_view symbol,
                      double b) {
  if (symbol == "+")
    return a + b;
  if (symbol == "-")
    return a - b;
  if (symbol == "*")
    return a * b;
  if (symbol == "**")
    return std::pow(a, b);
  if (b == 0)
    run.fail(failure::zero_division, symbol == "/"    ? "float division by zero"
                                     : symbol == "//" ? "float floor division "
                                                        "by zero"
                                                      : "float modulo");
  if (symbol == "/")
    return a / b;
  if (symbol == "//")
    return std::floor(a / b);
  const double rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

value repeated(rendering &run, const value &what, std::int64_t times) {
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(times, 0));
  if (what.is_string()) {
    const auto &text = what.as_string();
    std::string out;
    if (!text.empty())
      for (std::size_t i = 0; i < count; ++i)
        run.emit(out, text);
    return run.text(std::move(out));
  }
  std::vector<value> out;
  if (!what.items().empty())
    for (std::size_t i = 0; i < count; ++i) {
      run.reserve(what.items().size() * sizeof(value));
      out.insert(out.end(), what.items().begin(), what.items().end());
    }
  return run.list(std::move(out), what.as_sequence().kind);
}

bool repeats(const value &v) {
  return v.is_string() || v.is_sequence(sequence_kind::list) ||
         v.is_sequence(sequence_kind::tuple);
}

value joined(rendering &run, const value &a, const value &b) {
  if (a.is_string() && b.is_string()) {
    std::string out;
    run.emit(out, a.as_string());
    run.emit(out, b.as_string());
    return run.text(std::move(out));
  }
  if (a.is_sequence() && b.is_sequence() &&
      a.as_sequence().kind == b.as_sequence().kind) {
    run.reserve((a.items().size() + b.items().size()) * sizeof(value));
    std::vector<value> out = a.items();
    out.insert(out.end(), b.items().begin(), b.items().end());
    return run.list(std::move(out), a.as_sequence().kind);
  }
  run.fail(failure::type, "can only concatenate " + type_name(a) + " (not \"" +
                              type_name(b) + "\") to " + type_name(a));
}

} // namespace

value arithmetic(rendering &run, const value &a, std::string_view symbol,
                 const value &b) {
  if (symbol == "%" && a.is_string())
    return printf_format(run, a.as_string(), b);
  require_defined(run, a);
  require_defined(run, b);
  if (is_whole(a) && is_whole(b))
    return whole_arithmetic(run, as_whole(a), symbol, as_whole(b));
  if (a.is_number() && b.is_number())
    return real_arithmetic(run, as_double(a), symbol, as_double(b));
  if (symbol == "+" && repeats(a))
    return joined(run, a, b);
  if (symbol == "*" && repeats(a) && is_whole(b))
    return repeated(run, a, as_whole(b));
  if (symbol == "*" && repeats(b) && is_whole(a))
    return repeated(run, b, as_whole(a));
  fail_operands(run, a, symbol, b);
}

value negative(rendering &run, const value &v) {
  require_defined(run, v);
  if (v.is_real())
    return -v.as_real();
  if (!v.is_number())
    run.fail(failure::type,
             "bad operand type for unary -: '" + type_name(v) + "'");
  return whole_arithmetic(run, 0, "-", as_whole(v));
}

} // namespace ganglion::runtime::chat
