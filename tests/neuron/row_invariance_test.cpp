// The bits of a row never depend on how many rows there are, where it stands,
// how many threads work, or how many rows are live.
#include "hlo/composites/int8_linear.hpp"
#include "hlo/composites/moe.hpp"
#include "hlo/composites/norm.hpp"
#include "hlo/composites/paged_attention.hpp"
#include "hlo/composites/rotary.hpp"
#include "tests/neuron/composite_case.hpp"

#include <map>
#include <numeric>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

using build_function =
    std::function<value(hlo::builder &, std::span<const value>)>;

/// A composite whose first operands have one row per row of the result.
struct row_case {
  std::vector<literal> per_row, fixed;
  build_function build;
};

using rows_taken = std::vector<std::int64_t>;

std::span<const std::byte> row_of(const literal &l, std::int64_t row) {
  const std::size_t bytes =
      l.bytes().size() / static_cast<std::size_t>(l.form().dim(0));
  return l.bytes().subspan(static_cast<std::size_t>(row) * bytes, bytes);
}

literal some_rows(const literal &all, const rows_taken &rows) {
  hlo::shape s = all.form();
  s.dimensions[0] = static_cast<std::int64_t>(rows.size());
  literal out(s);
  std::byte *to = out.bytes().data();
  for (const auto row : rows) {
    const auto from = row_of(all, row);
    to = std::copy(from.begin(), from.end(), to);
  }
  return out;
}

/// Runs the composite on the given rows, of which `live` count.
literal run_rows(const row_case &c, const rows_taken &rows, std::int64_t live,
                 neuron::isa set, int threads) {
  hlo::module m("rows");
  hlo::builder b(m, "main");
  std::vector<literal> arguments;
  std::vector<value> parameters;
  for (const literal &l : c.per_row)
    arguments.push_back(some_rows(l, rows));
  for (const literal &l : c.fixed)
    arguments.push_back(l.clone());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    parameters.push_back(b.parameter(static_cast<std::int64_t>(i),
                                     arguments[i].form(),
                                     "p" + std::to_string(i)));
    if (i < c.per_row.size())
      parameters.back()->attrs.frontend["rows"] = "tokens";
  }
  m.set_entry(b.build(c.build(b, parameters)));
  bound_program p(neuron::compile(m, {set}), arguments);
  p.run({.threads = threads, .live_tokens = live});
  return p.output(0);
}

/// Rows in a random order, some of them twice.
rows_taken random_rows(std::mt19937 &random, std::int64_t all) {
  rows_taken out(1 + random() % static_cast<unsigned>(all));
  for (auto &row : out)
    row = static_cast<std::int64_t>(random()) % all;
  return out;
}

bool is_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](std::byte b) { return b == std::byte{0}; });
}

void check(const row_case &c) {
  const std::int64_t all = c.per_row[0].form().dim(0);
  rows_taken everything(static_cast<std::size_t>(all));
  std::iota(everything.begin(), everything.end(), 0);
  std::mt19937 random(5);
  for (const neuron::isa set : neuron::available_isas()) {
    const literal want = run_rows(c, everything, all, set, 1);
    for (int round = 0; round < 12; ++round) {
      const rows_taken rows = round < 3 ? everything : random_rows(random, all);
      const auto count = static_cast<std::int64_t>(rows.size());
      const auto live =
          round % 2 ? count : static_cast<std::int64_t>(random()) % (count + 1);
      const literal got = run_rows(c, rows, live, set, 1 + round % 3);
      std::int64_t wrong = 0;
      for (std::int64_t r = 0; r < live; ++r)
        wrong += !std::ranges::equal(row_of(got, r), row_of(want, rows[r]));
      // Padding rows are not even written.
      for (std::int64_t r = live; r < count; ++r)
        wrong += !is_zero(row_of(got, r));
      BOOST_TEST(wrong == 0, wrong << " of " << count << " rows differ on "
                                   << to_string(set) << ", round " << round);
    }
  }
}

row_case attention(composite_case &c, element_type type, std::int64_t block) {
  constexpr std::int64_t rows = 23, heads = 4, kv = 2, width = 20, slots = 3;
  const std::int64_t table = 192 / block;
  row_case out;
  out.per_row.push_back(c.normal(type, {rows, heads, width}));
  out.per_row.push_back(c.integers({rows}, 0, 189));
  out.per_row.push_back(c.integers({rows}, 0, slots - 1));
  out.fixed.push_back(c.normal(type, {slots * table, kv, width, block}));
  out.fixed.push_back(c.normal(type, {slots * table, kv, block, width}));
  std::vector<std::int32_t> tables(static_cast<std::size_t>(slots * table));
  std::iota(tables.begin(), tables.end(), 0);
  out.fixed.push_back(literal::from_ints({slots, table}, tables));
  out.fixed.push_back(c.integers({slots}, 190, 192));
  out.build = [](hlo::builder &b, std::span<const value> p) {
    return paged_attention(b, p[0], p[3], p[4], {p[1], p[2], p[5], p[6]},
                           {.scale = 0.2}, p[0]->form.type);
  };
  return out;
}

/// Element of a cache in which position is the dimension `at` of four.
std::int64_t cache_index(const hlo::shape &s, bool keys, std::int64_t position,
                         std::int64_t kv, std::int64_t d, std::int64_t first) {
  const auto block = keys ? s.dim(3) : s.dim(2), heads = s.dim(1);
  const auto width = keys ? s.dim(2) : s.dim(3);
  const auto base = ((first + position / block) * heads + kv) * width * block;
  const auto offset = position % block;
  return base + (keys ? d * block + offset : offset * width + d);
}

/// The contents of `from` in blocks of another size.
literal reblocked(const literal &from, const hlo::shape &to, bool keys) {
  literal out(to);
  const auto width = keys ? to.dim(2) : to.dim(3);
  const auto blocks = [&](const hlo::shape &s) { return s.dim(0) / 3; };
  for (std::int64_t slot = 0; slot < 3; ++slot)
    for (std::int64_t j = 0; j < 192; ++j)
      for (std::int64_t kv = 0; kv < to.dim(1); ++kv)
        for (std::int64_t d = 0; d < width; ++d)
          out.set_real(cache_index(to, keys, j, kv, d, slot * blocks(to)),
                       from.real(cache_index(from.form(), keys, j, kv, d,
                                             slot * blocks(from.form()))));
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(row_invariance)

BOOST_AUTO_TEST_CASE(linear_rows) {
  for (const auto type : storage_types)
    for (const std::int64_t k : {33, 80}) {
      composite_case c(1);
      row_case r;
      r.per_row.push_back(c.normal(type, {41, k}));
      r.fixed.push_back(c.normal(type, {130, k}));
      r.fixed.push_back(c.normal(type, {130}));
      r.build = [type](hlo::builder &b, std::span<const value> p) {
        return linear(b, p[0], p[1], p[2], hlo::activation::gelu_tanh, type);
      };
      check(r);
    }
}

BOOST_AUTO_TEST_CASE(gated_linear_rows) {
  for (const auto type : storage_types) {
    composite_case c(2);
    row_case r;
    r.per_row.push_back(c.normal(type, {41, 33}));
    r.fixed.push_back(c.normal(type, {130, 33}));
    r.fixed.push_back(c.normal(type, {130, 33}));
    r.build = [type](hlo::builder &b, std::span<const value> p) {
      return gated_linear(b, p[0], {p[1], p[2]}, hlo::activation::silu, type);
    };
    check(r);
  }
}

BOOST_AUTO_TEST_CASE(expert_rows) {
  for (const auto type : storage_types)
    for (const std::int64_t chosen : {1, 3}) {
      composite_case c(7);
      row_case r;
      r.per_row.push_back(c.normal(type, {41, 33}));
      r.per_row.push_back(c.normal(element_type::f32, {41, 5}));
      for (int e = 0; e < 5; ++e) {
        r.fixed.push_back(c.normal(type, {70, 33}));
        r.fixed.push_back(c.normal(type, {70, 33}));
        r.fixed.push_back(c.normal(type, {33, 70}));
      }
      r.build = [=](hlo::builder &b, std::span<const value> p) {
        std::vector<hlo::expert_weights> experts;
        for (std::size_t e = 2; e < p.size(); e += 3)
          experts.push_back({p[e], p[e + 1], p[e + 2]});
        return expert_mlp(b, p[0], route(b, p[1], chosen), experts,
                          hlo::activation::silu, chosen);
      };
      check(r);
    }
}

BOOST_AUTO_TEST_CASE(int8_linear_rows) {
  for (const auto type : storage_types)
    for (const std::int64_t k : {33, 80}) {
      composite_case c(2);
      row_case r;
      r.per_row.push_back(c.normal(type, {41, k}));
      for (int i = 0; i < 2; ++i) {
        literal weight(hlo::array_shape(element_type::s8, {130, k}));
        for (std::int64_t e = 0; e < 130 * k; ++e)
          weight.set_integer(e, std::int64_t(c.random() % 255) - 127);
        r.fixed.push_back(std::move(weight));
        r.fixed.push_back(c.normal(element_type::f32, {130}, 0.01));
      }
      r.build = [type](hlo::builder &b, std::span<const value> p) {
        hlo::gated_weights w{p[1], p[3]};
        w.gate_scale = p[2];
        w.up_scale = p[4];
        return gated_linear(b, p[0], w, hlo::activation::silu, type);
      };
      check(r);
      r.build = [type](hlo::builder &b, std::span<const value> p) {
        return linear(b, p[0], p[1], p[4], hlo::activation::none,
                      element_type::f32, p[2]);
      };
      if (type == element_type::f32)
        check(r);
    }
}

BOOST_AUTO_TEST_CASE(int8_product_rows) {
  for (const auto type : storage_types)
    for (const std::int64_t k : {33, 80}) {
      composite_case c(2);
      row_case r;
      r.per_row.push_back(c.normal(type, {41, k}));
      for (int i = 0; i < 2; ++i) {
        literal weight(hlo::array_shape(element_type::s8, {130, k}));
        for (std::int64_t e = 0; e < 130 * k; ++e)
          weight.set_integer(e, std::int64_t(c.random() % 255) - 127);
        r.fixed.push_back(std::move(weight));
        r.fixed.push_back(c.normal(element_type::f32, {130}, 0.01));
      }
      r.build = [type](hlo::builder &b, std::span<const value> p) {
        hlo::gated_weights w{p[1], p[3]};
        w.gate_scale = p[2];
        w.up_scale = p[4];
        return gated_int8_linear(b, quantise_rows(b, p[0]), w,
                                 hlo::activation::silu, type);
      };
      check(r);
      r.build = [type](hlo::builder &b, std::span<const value> p) {
        return int8_linear(b, quantise_rows(b, p[0]), p[1], p[2], nullptr,
                           hlo::activation::gelu_tanh, type);
      };
      check(r);
    }
}

BOOST_AUTO_TEST_CASE(norm_rows) {
  for (const auto type : storage_types)
    for (const bool layer : {false, true}) {
      composite_case c(3);
      row_case r;
      r.per_row.push_back(c.normal(element_type::f32, {41, 77}));
      r.fixed.push_back(c.normal(type, {77}));
      r.fixed.push_back(c.normal(type, {77}));
      r.build = [=](hlo::builder &b, std::span<const value> p) {
        return layer ? layer_norm(b, p[0], p[1], p[2], 1e-5, type)
                     : rms_norm(b, p[0], p[1], 1e-5, type);
      };
      check(r);
    }
}

BOOST_AUTO_TEST_CASE(residual_and_rotary_rows) {
  composite_case c(4);
  row_case sum;
  sum.per_row.push_back(c.normal(element_type::f32, {41, 33}));
  sum.per_row.push_back(c.normal(element_type::f32, {41, 33}));
  sum.build = [](hlo::builder &b, std::span<const value> p) {
    return residual_add(b, p[0], p[1], nullptr);
  };
  check(sum);
  row_case turn;
  turn.per_row.push_back(c.normal(element_type::f32, {41, 60}));
  turn.per_row.push_back(c.normal(element_type::f32, {41, 2, 10}));
  turn.build = [](hlo::builder &b, std::span<const value> p) {
    return rotary(b, p[0], p[1], 3, hlo::rotary_pairs::halves,
                  element_type::bf16);
  };
  check(turn);
}

BOOST_AUTO_TEST_CASE(attention_rows) {
  for (const auto type : storage_types) {
    composite_case c(5);
    check(attention(c, type, 32));
  }
}

// Rows of one prompt go over its tiles together, laid out first; a row alone
// reads them where they lie.
BOOST_AUTO_TEST_CASE(attention_rows_of_one_prompt) {
  for (const auto type : storage_types)
    for (const std::int64_t window : {0, 70}) {
      composite_case c(7);
      row_case r = attention(c, type, 32);
      for (std::int64_t i = 0; i < 23; ++i) {
        r.per_row[1].set_integer(i, 112 + i); // around the edge of a tile
        r.per_row[2].set_integer(i, 1);
      }
      r.build = [=](hlo::builder &b, std::span<const value> p) {
        return paged_attention(b, p[0], p[3], p[4], {p[1], p[2], p[5], p[6]},
                               {.scale = 0.2, .window = window}, type);
      };
      check(r);
    }
}

BOOST_AUTO_TEST_CASE(attention_rows_of_int8_caches) {
  for (const auto type : storage_types) {
    composite_case c(7);
    row_case r = attention(c, type, 32);
    const hlo::dims scales{18, 2, 32};
    for (const std::size_t cache : {0, 1}) {
      literal s8(
          hlo::array_shape(element_type::s8, r.fixed[cache].form().dimensions));
      for (std::int64_t i = 0; i < s8.form().size(); ++i)
        s8.set_integer(i, std::int64_t(c.random() % 255) - 127);
      r.fixed[cache] = std::move(s8);
      r.fixed.push_back(c.normal(element_type::f32, scales, 0.01));
    }
    r.build = [type](hlo::builder &b, std::span<const value> p) {
      return paged_attention(
          b, p[0], p[3], p[4], {p[1], p[2], p[5], p[6]},
          {.scale = 0.2, .key_scales = p[7], .value_scales = p[8]}, type);
    };
    check(r);
  }
}

BOOST_AUTO_TEST_CASE(attention_does_not_see_the_block_size) {
  for (const auto type : storage_types) {
    composite_case c(6);
    const row_case base = attention(c, type, 16);
    rows_taken all(23);
    std::iota(all.begin(), all.end(), 0);
    for (const std::int64_t block : {32, 64}) {
      composite_case unused(6);
      row_case other = attention(unused, type, block);
      for (std::size_t i = 0; i < base.per_row.size(); ++i)
        other.per_row[i] = base.per_row[i].clone();
      other.fixed[0] = reblocked(base.fixed[0], other.fixed[0].form(), true);
      other.fixed[1] = reblocked(base.fixed[1], other.fixed[1].form(), false);
      other.fixed[3] = base.fixed[3].clone();
      for (const neuron::isa set : neuron::available_isas())
        BOOST_TEST(same_bits(run_rows(base, all, 23, set, 1),
                             run_rows(other, all, 23, set, 2)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
