// Paged attention against its decomposition.
//
// The bound: a score is a chain of d multiply-adds, off by e = (d + 4) u scale
// sum|q k|; a probability is then off by a factor 1 + 2 e (its own score and
// the maximum), and the weighted sum over L positions by L u; the exponential
// and the merging of tiles add a constant number of u. All of it is relative
// to the largest |value| that the row sees. A bias of the position is rounded
// twice, in the product with the slope and in the sum.
#include "hlo/composites/paged_attention.hpp"
#include "tests/neuron/composite_case.hpp"

#include <limits>
#include <numeric>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct attention_sizes {
  element_type type = element_type::f32;
  std::int64_t rows = 7, heads = 4, kv_heads = 2, width = 20, block = 32,
               slots = 3, table = 5;
  double scale = 1.0; ///< of the queries
  std::int64_t window = 0;
  bool slopes = false;
  bool int8 = false; ///< the caches, with scales
};

/// Random caches, and sequences whose blocks lie scattered in the pool.
class attention_case : public composite_case {
public:
  attention_case(unsigned seed, const attention_sizes &s)
      : composite_case(seed),
        n(s) {
    const std::int64_t blocks = n.slots * n.table + 2;
    const value q = input(normal(n.type, {n.rows, n.heads, n.width}, n.scale));
    const value k = input(cache({blocks, n.kv_heads, n.width, n.block}));
    const value v = input(cache({blocks, n.kv_heads, n.block, n.width}));
    literal lengths =
        integers({n.slots}, 1, static_cast<std::int32_t>(n.table * n.block));
    literal row_slots =
        integers({n.rows}, 0, static_cast<std::int32_t>(n.slots) - 1);
    literal positions(hlo::array_shape(element_type::s32, {n.rows}));
    for (std::int64_t r = 0; r < n.rows; ++r)
      positions.set_integer(r, static_cast<std::int64_t>(random()) %
                                   lengths.integer(row_slots.integer(r)));
    hlo::attention_inputs in;
    in.last_seen = input(std::move(positions));
    in.row_slots = input(std::move(row_slots));
    in.block_tables = input(shuffled_tables(blocks));
    in.context_lengths = input(std::move(lengths));
    hlo::attention_rules rules;
    rules.scale = scale();
    rules.window = n.window;
    if (n.int8) {
      const hlo::dims d{blocks, n.kv_heads, n.block};
      rules.key_scales = input(normal(element_type::f32, d, 0.01));
      rules.value_scales = input(normal(element_type::f32, d, 0.01));
    }
    if (n.slopes)
      rules.slopes = input(normal(element_type::f32, {n.heads}, 0.1));
    finish(paged_attention(b, q, k, v, in, rules, n.type));
  }

  double scale() const { return 1 / std::sqrt(double(n.width)); }

  double slack(std::int64_t i) const {
    const auto row = i / (n.heads * n.width), head = i / n.width % n.heads;
    const auto kv = head / (n.heads / n.kv_heads), d = i % n.width;
    const auto slot = arguments[4].integer(row);
    const auto own = arguments[3].integer(row) + 1;
    const auto limit = std::min(own, arguments[6].integer(slot));
    const auto first = n.window > 0 ? std::max(own - n.window, 0L) : 0L;
    double score = 0, most = 0;
    for (std::int64_t j = first; j < limit; ++j) {
      const auto block =
          arguments[5].integer(slot * n.table + j / n.block) * n.kv_heads + kv;
      double sum = 0;
      for (std::int64_t e = 0; e < n.width; ++e)
        sum += std::abs(
            arguments[0].real((row * n.heads + head) * n.width + e) *
            arguments[1].real((block * n.width + e) * n.block + j % n.block));
      const auto place = block * n.block + j % n.block;
      score = std::max(score, sum * scale_of(7, place));
      most = std::max(most, std::abs(arguments[2].real(place * n.width + d)) *
                                scale_of(8, place));
    }
    double e = (double(n.width) + 4) * unit * scale() * score;
    if (n.slopes) // rounded with the bias, and the bias itself
      e += 4 * unit * std::abs(arguments.back().real(head)) * double(limit);
    return (2 * e + (double(limit) + 64) * unit) * most;
  }

  attention_sizes n;

private:
  literal cache(hlo::dims d) {
    if (!n.int8)
      return normal(n.type, std::move(d));
    literal out(hlo::array_shape(element_type::s8, std::move(d)));
    for (std::int64_t i = 0; i < out.form().size(); ++i)
      out.set_integer(i, std::int64_t(random() % 255) - 127);
    return out;
  }

  double scale_of(std::size_t argument, std::int64_t place) const {
    return n.int8 ? std::abs(arguments[argument].real(place)) : 1.0;
  }

  literal shuffled_tables(std::int64_t blocks) {
    std::vector<std::int32_t> order(static_cast<std::size_t>(blocks));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    order.resize(static_cast<std::size_t>(n.slots * n.table));
    return literal::from_ints({n.slots, n.table}, order);
  }
};

void check(unsigned seed, const attention_sizes &s) {
  const attention_case c(seed, s);
  c.check([&](std::int64_t i) { return c.slack(i); });
}

} // namespace

BOOST_AUTO_TEST_SUITE(composite_attention)

BOOST_AUTO_TEST_CASE(every_type_width_and_block_size) {
  unsigned seed = 1;
  for (const auto type : storage_types)
    for (const std::int64_t width : {8, 20, 64, 80})
      for (const std::int64_t block : {16, 32, 64}) {
        attention_sizes s;
        s.type = type;
        s.width = width;
        s.block = block;
        s.table = 160 / block + 1;
        check(seed++, s);
      }
}

BOOST_AUTO_TEST_CASE(query_heads_share_key_heads) {
  unsigned seed = 100;
  for (const std::int64_t heads : {1, 2, 6})
    for (const std::int64_t group : {1, 2, 3})
      if (heads % group == 0) {
        attention_sizes s;
        s.heads = heads;
        s.kv_heads = heads / group;
        check(seed++, s);
      }
}

BOOST_AUTO_TEST_CASE(contexts_around_the_edges_of_tiles) {
  for (const std::int64_t length : {1, 15, 16, 17, 63, 64, 65, 127, 128, 129}) {
    attention_sizes s;
    s.slots = 1;
    s.rows = 1;
    attention_case c(200 + static_cast<unsigned>(length), s);
    c.arguments[3].set_integer(0, length - 1);
    c.arguments[6].set_integer(0, length);
    c.check([&](std::int64_t i) { return c.slack(i); });
  }
}

BOOST_AUTO_TEST_CASE(windows_around_the_edges_of_tiles) {
  unsigned seed = 500;
  for (const auto type : storage_types)
    for (const std::int64_t window : {1, 15, 16, 17, 63, 64, 65, 129, 1000})
      for (const std::int64_t length : {1, 64, 65, 130, 160}) {
        attention_sizes s;
        s.type = type;
        s.window = window;
        s.slots = 1;
        s.rows = 1;
        attention_case c(seed++, s);
        c.arguments[3].set_integer(0, length - 1);
        c.arguments[6].set_integer(0, length);
        c.check([&](std::int64_t i) { return c.slack(i); });
      }
}

BOOST_AUTO_TEST_CASE(biases_by_the_key_position) {
  unsigned seed = 600;
  for (const auto type : storage_types)
    for (const std::int64_t heads : {1, 3, 4, 12})
      for (const std::int64_t window : {0, 20}) {
        attention_sizes s;
        s.type = type;
        s.heads = s.kv_heads = heads;
        s.window = window;
        s.slopes = true;
        check(seed++, s);
      }
}

// What lies before the window must not matter, whatever the cache holds there.
BOOST_AUTO_TEST_CASE(nothing_before_the_window_is_read) {
  attention_sizes s;
  s.window = 20;
  s.slots = s.rows = 1;
  attention_case plain(700, s), poisoned(700, s);
  for (auto *c : {&plain, &poisoned}) {
    c->arguments[3].set_integer(0, 149);
    c->arguments[6].set_integer(0, 150);
  }
  for (std::int64_t j = 0; j < 130; ++j) {
    const auto block = plain.arguments[5].integer(j / s.block);
    for (std::int64_t h = 0; h < s.kv_heads; ++h)
      for (std::int64_t d = 0; d < s.width; ++d) {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        poisoned.arguments[1].set_real(
            ((block * s.kv_heads + h) * s.width + d) * s.block + j % s.block,
            nan);
        poisoned.arguments[2].set_real(
            ((block * s.kv_heads + h) * s.block + j % s.block) * s.width + d,
            nan);
      }
  }
  for (const neuron::isa set : neuron::available_isas()) {
    bound_program a(neuron::compile(*plain.graph, {set}), plain.arguments);
    bound_program b(neuron::compile(*plain.graph, {set}), poisoned.arguments);
    a.run({});
    b.run({});
    const literal x = a.output(0), y = b.output(0);
    for (std::int64_t i = 0; i < x.form().size(); ++i)
      BOOST_REQUIRE(x.real(i) == y.real(i));
  }
}

BOOST_AUTO_TEST_CASE(int8_caches) {
  unsigned seed = 800;
  for (const auto type : storage_types)
    for (const std::int64_t width : {8, 20, 64, 80})
      for (const std::int64_t block : {16, 32, 64})
        for (const std::int64_t window : {0, 20}) {
          attention_sizes s;
          s.type = type;
          s.width = width;
          s.block = block;
          s.table = 160 / block + 1;
          s.window = window;
          s.int8 = true;
          s.slopes = seed % 2;
          check(seed++, s);
        }
}

// A slot that was never written may hold anything.
BOOST_AUTO_TEST_CASE(scales_out_of_sight_are_not_read) {
  for (const auto type : storage_types) {
    attention_sizes s;
    s.type = type;
    s.slots = s.rows = 1;
    s.window = 20;
    s.int8 = true;
    attention_case c(900, s);
    c.arguments[3].set_integer(0, 99);
    c.arguments[6].set_integer(0, 100);
    for (std::int64_t j = 0; j < s.table * s.block; ++j)
      if (j < 80 || j >= 100)
        for (std::int64_t h = 0; h < s.kv_heads; ++h)
          for (const std::size_t scales : {7, 8})
            c.arguments[scales].set_real(
                (c.arguments[5].integer(j / s.block) * s.kv_heads + h) *
                        s.block +
                    j % s.block,
                std::numeric_limits<double>::quiet_NaN());
    c.check([&](std::int64_t i) { return c.slack(i); });
  }
}

BOOST_AUTO_TEST_CASE(many_rows_and_sharp_distributions) {
  attention_sizes s;
  s.rows = 70;
  s.table = 3;
  check(300, s);
  s.rows = 5;
  s.scale = 40; // nearly all weight on one position
  check(301, s);
}

BOOST_AUTO_TEST_CASE(a_row_of_nan_stays_alone) {
  for (const auto type : storage_types) {
    attention_sizes s;
    s.type = type;
    attention_case c(400, s);
    for (std::int64_t i = 0; i < s.heads * s.width; ++i)
      c.arguments[0].set_real(2 * s.heads * s.width + i,
                              std::numeric_limits<double>::quiet_NaN());
    c.check([&](std::int64_t i) {
      return i / (s.heads * s.width) == 2 ? 0.0 : c.slack(i);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
