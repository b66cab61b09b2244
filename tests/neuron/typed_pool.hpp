// The values that a random module is made of so far, and finding one that an
// operation takes.
#pragma once

#include "hlo/builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace ganglion::testing {

/// A value with what is known of it: whether it is exact, and if it is
/// floating, that it is a multiple of 2^-scale of at most `bound`.
struct term {
  hlo::value v = nullptr;
  bool exact = true;
  double bound = 0;
  int scale = 0;
};
class typed_pool {
public:
  explicit typed_pool(unsigned seed)
      : graph(std::make_unique<hlo::module>("typed")),
        random_(seed),
        b_(*graph, "main") {
    add_parameters();
  }

  std::unique_ptr<hlo::module> graph;
  std::vector<hlo::literal> arguments;

protected:
  using value = hlo::value;
  using opcode = hlo::opcode;
  using element_type = hlo::element_type;

  std::size_t below(std::size_t n) { return random_() % n; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(
                     below(static_cast<std::size_t>(high - low + 1)));
  }
  template <std::size_t N>
  opcode pick(const opcode (&ops)[N]) {
    return ops[below(N)];
  }

  void keep(term t) {
    if (t.v->form.size() > 0 && t.v->form.size() <= 200 &&
        t.v->form.rank() <= 4 && t.bound < 1e6)
      pool_.push_back(t);
  }
  /// A floating result: exact as long as 24 bits hold it.
  void keep_real(value v, bool exact, double bound, int scale) {
    exact = exact && bound * std::ldexp(1.0, scale) < 16777216.0;
    keep({v, exact, bound, scale});
  }

  template <class Wanted>
  std::optional<term> find(Wanted wanted) {
    for (int tries = 0; tries < 1000; ++tries)
      if (const term &t = pool_[below(pool_.size())]; wanted(t))
        return t;
    return std::nullopt;
  }
  std::optional<term> any_real(bool exact = false) {
    return find([&](const term &t) {
      return t.v->form.type == element_type::f32 && (t.exact || !exact);
    });
  }
  std::optional<term> any_integer() {
    return find([](const term &t) {
      return !is_floating(t.v->form.type) &&
             t.v->form.type != element_type::pred;
    });
  }
  std::optional<term> any_array() {
    return find([](const term &t) { return t.v->form.rank() > 0; });
  }
  term like(const term &x) {
    const auto y = find([&](const term &t) {
      return t.v->form == x.v->form && (t.exact || !x.exact);
    });
    return y ? *y : x;
  }
  term with(const term &x, value v) { return {v, x.exact, x.bound, x.scale}; }

  std::mt19937 random_;
  hlo::builder b_;
  std::vector<term> pool_;

private:
  void add_parameter(element_type type, hlo::dims d) {
    hlo::literal l(hlo::array_shape(type, std::move(d)));
    for (std::int64_t i = 0; i < l.form().size(); ++i)
      if (is_floating(type))
        l.set_real(i, static_cast<double>(between(-32, 32)) / 8);
      else if (type == element_type::pred)
        l.set_integer(i, between(0, 1));
      else
        l.set_integer(i,
                      is_signed(type) ? between(-100, 100) : between(0, 200));
    const auto number = static_cast<std::int64_t>(arguments.size());
    keep({b_.parameter(number, l.form(), "p" + std::to_string(number)), true, 4,
          3});
    arguments.push_back(std::move(l));
  }

  void add_parameters() {
    using enum element_type;
    for (const hlo::dims &d :
         {hlo::dims{3, 4}, hlo::dims{4}, hlo::dims{4, 5}, hlo::dims{2, 3, 4}})
      add_parameter(f32, d);
    for (const auto type : {s32, u32, s8, u8, s64, pred, bf16, f16, f64})
      add_parameter(type, {3, 4});
    add_parameter(s32, {5});
    keep({b_.iota(hlo::array_shape(s32, {3, 4}), between(0, 1))});
  }
};

} // namespace ganglion::testing
