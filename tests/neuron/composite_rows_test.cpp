// The row by row composites against their decompositions.
//
// The bound of the norms: sums of n terms in f32 are off by at most n u of the
// sum of magnitudes; that is an error of the mean, hence of every centred
// element, and a relative one of the variance, of which the inverse root takes
// half. A handful of u for the remaining operations.
#include "hlo/composites/embedding.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/rotary.hpp"
#include "hlo/composites/rounding.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>
#include <set>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
const auto exact = [](std::int64_t) { return 0.0; };

struct norm_bound {
  const literal &x, &weight;
  const literal *bias;
  double eps;

  double operator()(std::int64_t i) const {
    const auto n = x.form().dim(1);
    const double count = static_cast<double>(n), each = (count + 4) * unit;
    const auto at = [&](std::int64_t j) { return x.real(i / n * n + j); };
    double mean = 0, size = 0, variance = 0;
    for (std::int64_t j = 0; bias && j < n; ++j) {
      mean += at(j) / count;
      size += std::abs(at(j)) / count;
    }
    for (std::int64_t j = 0; j < n; ++j)
      variance += (at(j) - mean) * (at(j) - mean) / count;
    const double off = each * size;
    const double spread = each * variance + 2 * off * std::sqrt(variance);
    const double inverse = 1 / std::sqrt(variance + eps);
    const double centred = std::abs(at(i % n) - mean);
    const double w = std::abs(weight.real(i % n)) * inverse;
    return 1.5 * w * (off + centred * spread / 2 / (variance + eps)) +
           16 * unit * (w * centred + (bias ? std::abs(bias->real(i % n)) : 0));
  }
};

void check_norm(composite_case &c, literal rows, element_type type,
                element_type out, bool layer) {
  constexpr double eps = 1e-5;
  const auto width = rows.form().dim(1);
  const value x = c.input(std::move(rows));
  const value w = c.input(c.normal(type, {width}));
  const value bias = layer ? c.input(c.normal(type, {width})) : nullptr;
  c.finish(layer ? layer_norm(c.b, x, w, bias, eps, out)
                 : rms_norm(c.b, x, w, eps, out));
  c.check(norm_bound{c.arguments[0], c.arguments[1],
                     layer ? &c.arguments[2] : nullptr, eps});
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_rows)

BOOST_AUTO_TEST_CASE(norms_agree_with_their_bodies) {
  unsigned seed = 1;
  for (const auto type : storage_types)
    for (const auto out : {type, element_type::f32})
      for (const bool layer : {false, true})
        for (const std::int64_t width : {1, 8, 20, 64, 80, 129, 300}) {
          composite_case c(seed++);
          check_norm(c,
                     c.normal(element_type::f32, {c.pick({1, 3, 70}), width},
                              c.pick({1, 30})),
                     type, out, layer);
        }
}

BOOST_AUTO_TEST_CASE(head_norms_agree_with_their_body) {
  unsigned seed = 400;
  for (const auto type : storage_types)
    for (const std::int64_t width : {8, 20, 64, 128})
      for (const std::int64_t heads : {1, 3, 8}) {
        composite_case c(seed++);
        const auto rows = c.pick({1, 3, 70});
        const value x =
            c.input(c.normal(element_type::f32, {rows, heads * width}));
        const value w = c.input(c.normal(type, {width}));
        c.finish(head_norm(c.b, x, w, 1e-5));
        literal each(
            hlo::array_shape(element_type::f32, {rows * heads, width}));
        for (std::int64_t i = 0; i < each.form().size(); ++i)
          each.set_real(i, c.arguments[0].real(i));
        c.check(norm_bound{each, c.arguments[1], nullptr, 1e-5});
      }
}

BOOST_AUTO_TEST_CASE(norms_of_zeros_denormals_huge_numbers_and_nan) {
  unsigned seed = 500;
  for (const bool layer : {false, true})
    for (const double scale : {0.0, 1e-42, 1e-20, 1e15}) {
      composite_case c(seed++);
      literal x = c.normal(element_type::f32, {6, 80}, scale);
      for (std::int64_t i = 0; i < 80; ++i)
        x.set_real(3 * 80 + i, not_a_number);
      check_norm(c, std::move(x), element_type::f32, element_type::f32, layer);
    }
}

BOOST_AUTO_TEST_CASE(embedding_reads_the_nearest_row_outside_the_table) {
  unsigned seed = 600;
  for (const auto type : storage_types)
    for (const std::int64_t width : {8, 20, 64, 129}) {
      composite_case c(seed++);
      const value ids = c.input(c.integers({c.pick({1, 9, 70})}, -3, 40));
      c.finish(embedding(c.b, ids, c.input(c.normal(type, {33, width}))));
      c.check(exact);
    }
}

BOOST_AUTO_TEST_CASE(take_rows_copies) {
  composite_case c(700);
  const value rows = c.input(c.integers({7}, 0, 19));
  c.finish(
      take_rows(c.b, rows, c.input(c.normal(element_type::f32, {20, 33}))));
  c.check(exact);
}

BOOST_AUTO_TEST_CASE(rotary_table_of_near_and_far_positions) {
  for (const std::int64_t half : {1, 4, 10, 32, 64}) {
    composite_case c(800 + static_cast<unsigned>(half));
    literal frequencies(hlo::array_shape(element_type::f32, {half}));
    for (std::int64_t i = 0; i < half; ++i)
      frequencies.set_real(i, std::pow(10000.0, -double(i) / double(half)));
    const value positions = c.input(c.integers({17}, 0, 130000));
    c.finish(
        rotary_table(c.b, positions, c.input(std::move(frequencies)), 1.25));
    // cosf and sinf are off by an ulp at most, and so is the product.
    c.check([](std::int64_t) { return 4 * unit; });
  }
}

// An angle of up to 130,000 is off by the rounding of its frequency, which two
// powers made.
BOOST_AUTO_TEST_CASE(dynamic_rotary_table_of_short_and_long_sequences) {
  for (const std::int64_t half : {2, 4, 32, 64}) {
    composite_case c(850 + static_cast<unsigned>(half));
    const value positions = c.input(c.integers({17}, 0, 4000));
    const value lengths = c.input(c.integers({17}, 1, 4000));
    c.finish(dynamic_rotary_table(c.b, positions, lengths,
                                  {10000.0, 2.0, 1024.0, half}));
    c.check([&](std::int64_t i) {
      const auto row = i / (2 * half);
      return (4 + 8 * c.arguments[0].real(row)) * unit;
    });
  }
}

BOOST_AUTO_TEST_CASE(rotary_whole_and_partial) {
  unsigned seed = 900;
  for (const auto out : storage_types)
    for (const std::int64_t width : {8, 20, 64, 80, 128})
      for (const bool partial : {false, true})
        for (const auto pairs :
             {hlo::rotary_pairs::halves, hlo::rotary_pairs::interleaved}) {
          composite_case c(seed++);
          const auto rows = c.pick({1, 5, 70}), heads = c.pick({1, 3, 8});
          const auto half = partial ? width / 4 : width / 2;
          const value x =
              c.input(c.normal(element_type::f32, {rows, heads * width}));
          const value table =
              c.input(c.normal(element_type::f32, {rows, 2, half}));
          c.finish(rotary(c.b, x, table, heads, pairs, out));
          c.check(exact); // the same three roundings in both
        }
}

BOOST_AUTO_TEST_CASE(rotary_turns_neighbours_when_interleaved) {
  composite_case c(950);
  const value x = c.input(
      literal::from_floats({1, 6}, std::vector<float>{1, 2, 3, 4, 5, 6}));
  const value table =
      c.input(literal::from_floats({1, 2, 2}, std::vector<float>{0, 1, 1, 0}));
  c.finish(rotary(c.b, x, table, 1, hlo::rotary_pairs::interleaved,
                  element_type::f32));
  c.check(exact);
  const auto want = evaluate(*c.graph, c.arguments);
  const double turned[] = {-2, 1, 3, 4, 5, 6};
  for (std::int64_t i = 0; i < 6; ++i)
    BOOST_TEST(want.real(i) == turned[i]);
}

BOOST_AUTO_TEST_CASE(split_heads_rounds_once) {
  unsigned seed = 1000;
  for (const auto out : storage_types)
    for (const std::int64_t width : {8, 20, 80}) {
      composite_case c(seed++);
      const value x = c.input(c.normal(element_type::f32, {5, 3 * width}));
      c.finish(split_heads(c.b, x, 3, out));
      c.check(exact);
    }
}

BOOST_AUTO_TEST_CASE(round_rows_rounds_once) {
  unsigned seed = 1050;
  for (const auto out : storage_types)
    for (const std::int64_t width : {8, 20, 129}) {
      composite_case c(seed++);
      c.finish(round_rows(c.b, c.input(c.normal(element_type::f32, {5, width})),
                          out));
      c.check(exact);
    }
}

BOOST_AUTO_TEST_CASE(round_rows_saturates_what_would_be_infinite) {
  unsigned seed = 1070;
  for (const auto out : {element_type::f16, element_type::bf16}) {
    composite_case c(seed++);
    literal x = c.normal(element_type::f32, {3, 37}, 1e38);
    x.set_real(5, std::numeric_limits<double>::infinity());
    x.set_real(6, -std::numeric_limits<double>::infinity());
    x.set_real(40, 70000.0);
    c.finish(round_rows(c.b, c.input(std::move(x)), out, true));
    c.check(exact);
    bound_program p(neuron::compile(*c.graph, {neuron::isa::portable}),
                    c.arguments);
    p.run({});
    BOOST_TEST(p.output(0).real(5) == hlo::largest_finite(out));
    BOOST_TEST(p.output(0).real(6) == -hlo::largest_finite(out));
  }
}

BOOST_AUTO_TEST_CASE(round_through_keeps_what_the_type_can_hold) {
  unsigned seed = 1080;
  for (const auto through : storage_types) {
    composite_case c(seed++);
    c.finish(round_through(c.b, c.input(c.normal(element_type::f32, {5, 37})),
                           through));
    c.check(exact);
  }
}

/// Slots of 5 blocks, each taken once at most, and some outside.
literal random_slots(composite_case &c, std::int64_t rows, std::int64_t block) {
  const std::int64_t pool = 5 * block;
  literal slots(hlo::array_shape(element_type::s32, {rows}));
  std::set<std::int64_t> taken;
  for (std::int64_t r = 0; r < rows; ++r) {
    std::int64_t slot = static_cast<std::int64_t>(c.random() % 80);
    if (!taken.insert(slot).second || r % 7 == 0)
      slot = c.pick({pool, pool + 1000, -1});
    slots.set_integer(r, slot);
  }
  return slots;
}

BOOST_AUTO_TEST_CASE(cache_writes_and_dropped_slots) {
  unsigned seed = 1100;
  for (const auto type : storage_types)
    for (const std::int64_t block : {16, 32, 64})
      for (const bool keys : {false, true}) {
        composite_case c(seed++);
        const std::int64_t width = c.pick({8, 20, 80}), heads = c.pick({1, 2});
        const std::int64_t blocks = 5, rows = 40;
        const value x = c.input(c.normal(type, {rows, heads, width}));
        const value s = c.input(random_slots(c, rows, block));
        const value cache = c.input(
            c.normal(type, keys ? hlo::dims{blocks, heads, width, block}
                                : hlo::dims{blocks, heads, block, width}));
        c.finish(keys ? write_keys(c.b, x, s, cache)
                      : write_values(c.b, x, s, cache));
        if (c.random() % 2)
          c.graph->aliases.push_back({0, 2, true});
        c.check(exact);
      }
}

BOOST_AUTO_TEST_CASE(int8_cache_writes_and_their_scales) {
  unsigned seed = 1200;
  for (const auto type : storage_types)
    for (const std::int64_t block : {16, 32, 64})
      for (const int what : {0, 1, 2}) {
        composite_case c(seed++);
        const std::int64_t width = c.pick({8, 20, 80}), heads = c.pick({1, 3});
        const std::int64_t blocks = 5, rows = 40;
        literal rows_in =
            c.normal(type, {rows, heads, width}, what == 2 ? 1e-6 : 3.0);
        for (std::int64_t i = 0; i < heads * width; ++i) {
          rows_in.set_real(heads * width + i, 0.0);
          rows_in.set_real(2 * heads * width + i,
                           i % 3 ? std::numeric_limits<double>::quiet_NaN()
                                 : 1.0);
        }
        const value x = c.input(std::move(rows_in));
        const value s = c.input(random_slots(c, rows, block));
        hlo::dims d{blocks, heads, block};
        if (what < 2)
          d.insert(d.begin() + (what ? 3 : 2), width);
        const value cache = c.input(literal(hlo::array_shape(
            what < 2 ? element_type::s8 : element_type::f32, d)));
        c.finish(what == 0   ? write_keys(c.b, x, s, cache)
                 : what == 1 ? write_values(c.b, x, s, cache)
                             : write_scales(c.b, x, s, cache));
        if (c.random() % 2)
          c.graph->aliases.push_back({0, 2, true});
        c.check(exact); // of whole numbers two ulp are less than one
      }
}

BOOST_AUTO_TEST_SUITE_END()
