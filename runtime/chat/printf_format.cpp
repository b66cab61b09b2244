#include "runtime/chat/printf_format.hpp"

#include "runtime/chat/operators.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace ganglion::runtime::chat {

namespace {

constexpr int widest = 1000;

class formatter {
public:
  formatter(rendering &run, std::string_view format, const value &given)
      : run_(run),
        rest_(format),
        given_(given) {}

  value all() {
    while (!rest_.empty()) {
      const auto percent = std::min(rest_.find('%'), rest_.size());
      run_.emit(out_, rest_.substr(0, percent));
      rest_.remove_prefix(percent);
      if (!rest_.empty())
        read_field();
    }
    if (!given_.is_dict() && next_ < count())
      run_.fail(failure::type,
                "not all arguments converted during string formatting");
    return run_.text(std::move(out_));
  }

private:
  [[noreturn]] void fail_incomplete() {
    run_.fail(failure::value, "incomplete format");
  }
  char take() {
    if (rest_.empty())
      fail_incomplete();
    const char c = rest_[0];
    rest_.remove_prefix(1);
    return c;
  }
  std::size_t count() const {
    return given_.is_sequence(sequence_kind::tuple) ? given_.items().size() : 1;
  }
  value next() {
    if (next_ >= count())
      run_.fail(failure::type, "not enough arguments for format string");
    const auto i = next_++;
    return given_.is_sequence(sequence_kind::tuple) ? given_.items()[i]
                                                    : given_;
  }

  int read_number() {
    int out = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9') {
      out = out * 10 + (take() - '0');
      if (out > widest)
        run_.fail(failure::value, "a width of more than 1000");
    }
    return out;
  }

  value read_subject(char) {
    const auto end = rest_.find(')');
    if (end == rest_.npos)
      fail_incomplete();
    const auto name = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    const auto *found = given_.find(name);
    if (!found)
      run_.fail(failure::value, "'" + std::string(name) + "'");
    return *found;
  }

  void read_field() {
    take();
    std::optional<value> named;
    if (rest_.starts_with('('))
      named = read_subject(take());
    std::string flags;
    while (!rest_.empty() &&
           std::string_view("-+ 0#").find(rest_[0]) != std::string_view::npos)
      if (flags += take(); flags.size() > 16)
        fail_incomplete();
    const int width = read_number();
    int precision = -1;
    if (rest_.starts_with('.')) {
      take();
      precision = read_number();
    }
    const char kind = take();
    if (kind == '%')
      return run_.emit(out_, "%");
    append(named ? *named : next(), kind, flags, width, precision);
  }

  void append(const value &v, char kind, const std::string &flags, int width,
              int precision) {
    if (kind == 's' || kind == 'r')
      return pad(kind == 's' ? to_text(run_, v) : to_repr(run_, v), flags,
                 width, precision);
    const bool whole =
        std::string_view("diuxXo").find(kind) != std::string_view::npos;
    if (!whole &&
        std::string_view("eEfFgG").find(kind) == std::string_view::npos)
      run_.fail(failure::value,
                std::string("unsupported format character '") + kind + "'");
    if (!v.is_number())
      run_.fail(failure::type, std::string("%") + kind +
                                   " format: a real number is required, not " +
                                   type_name(v));
    char text[2 * widest];
    const double real = as_double(v);
    if (whole && !(real > -9.2e18 && real < 9.2e18))
      run_.fail(failure::overflow, "an integer needs more than 64 bits");
    const auto format = "%" + flags + "*.*" + (whole ? "ll" : "") +
                        (kind == 'i' || kind == 'u' ? 'd' : kind);
    const int length =
        whole
            ? std::snprintf(
                  text, sizeof text, format.c_str(), width, precision,
                  static_cast<long long>(
                      is_whole(v) ? as_whole(v) : static_cast<long long>(real)))
            : std::snprintf(text, sizeof text, format.c_str(), width,
                            precision < 0 ? 6 : precision, real);
    if (length < 0 || length >= static_cast<int>(sizeof text))
      run_.fail(failure::value, "a formatted number is too long");
    run_.emit(out_, {text, static_cast<std::size_t>(length)});
  }

  void pad(std::string text, const std::string &flags, int width,
           int precision) {
    auto all = characters(text);
    if (precision >= 0 && all.size() > static_cast<std::size_t>(precision)) {
      all.resize(static_cast<std::size_t>(precision));
      std::string shorter;
      for (const auto c : all)
        shorter += c;
      text = shorter;
    }
    const auto spaces =
        std::string(width - std::min<std::size_t>(width, all.size()), ' ');
    const bool left = flags.find('-') != flags.npos;
    run_.emit(out_, left ? text + spaces : spaces + text);
  }

  rendering &run_;
  std::string_view rest_;
  const value &given_;
  std::size_t next_ = 0;
  std::string out_;
};

value field(rendering &run, std::string_view name, std::size_t &next,
            const arguments &given) {
  std::size_t place = next;
  const auto end = name.data() + name.size();
  if (name.find_first_of(".[:!") != name.npos)
    run.fail(failure::unsupported,
             "format field {" + std::string(name) +
                 "} is not supported; accepted: {}, {0} and {name}");
  if (name.empty()) {
    ++next;
  } else if (std::from_chars(name.data(), end, place).ptr != end) {
    for (const auto &[key, item] : given.named)
      if (key == name)
        return item;
    run.fail(failure::value, "'" + std::string(name) + "'");
  }
  if (place >= given.positional.size())
    run.fail(failure::value, "Replacement index " + std::to_string(place) +
                                 " out of range for positional args tuple");
  return given.positional[place];
}

} // namespace

value printf_format(rendering &run, std::string_view format,
                    const value &given) {
  return formatter(run, format, given).all();
}

value brace_format(rendering &run, std::string_view format,
                   const arguments &given) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t at = 0; at < format.size();) {
    const auto brace = std::min(format.find_first_of("{}", at), format.size());
    run.emit(out, format.substr(at, brace - at));
    if (brace == format.size())
      break;
    if (format.substr(brace, 2) == "{{" || format.substr(brace, 2) == "}}") {
      run.emit(out, format.substr(brace, 1));
      at = brace + 2;
      continue;
    }
    const auto end = format.find('}', brace);
    if (format[brace] == '}' || end == format.npos)
      run.fail(failure::value, format[brace] == '}'
                                   ? "Single '}' encountered in format string"
                                   : "Single '{' encountered in format string");
    const auto item =
        field(run, format.substr(brace + 1, end - brace - 1), next, given);
    run.emit(out, to_text(run, item));
    at = end + 1;
  }
  return run.text(std::move(out));
}

} // namespace ganglion::runtime::chat
