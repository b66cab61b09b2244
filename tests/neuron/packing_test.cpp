// The packed layouts against their definition, element by element.
#include "hlo/literal.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "neuron/kernels/int8_panel.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/kernels/quad_panel.hpp"
#include "neuron/packing.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <numeric>
#include <random>

using namespace ganglion;
using namespace ganglion::neuron;
using hlo::literal;

namespace {

const std::vector<element_type> sources = {element_type::f32, element_type::f64,
                                           element_type::bf16,
                                           element_type::f16};
const std::vector<element_type> targets = {
    element_type::f32, element_type::bf16, element_type::f16};

literal random_matrix(element_type type, std::int64_t rows,
                      std::int64_t columns) {
  std::mt19937 random(11);
  std::normal_distribution<double> draw;
  literal out(hlo::array_shape(type, {rows, columns}));
  for (std::int64_t i = 0; i < rows * columns; ++i)
    out.set_real(i, draw(random));
  return out;
}

/// Place of (n, k) as packing.hpp defines it.
std::int64_t place_of(std::int64_t n, std::int64_t k, std::int64_t width,
                      element_type type, packing how) {
  if (how == packing::row_major)
    return n * width + k;
  if (type == element_type::bf16)
    return ((n / 64 * ((width + 1) / 2) + k / 2) * 64 + n % 64) * 2 + k % 2;
  return (n / 64 * width + k) * 64 + n % 64;
}

/// The source value of (n, k), rounded once; padding is zero.
double wanted(const weight_source &s, const literal &from, std::int64_t n,
              std::int64_t k, element_type to) {
  if (s.rows[static_cast<std::size_t>(n)] < 0 ||
      s.columns[static_cast<std::size_t>(k)] < 0)
    return 0;
  literal one(hlo::scalar_shape(to));
  one.set_real(
      0, from.real(s.rows[static_cast<std::size_t>(n)] * s.row_stride +
                   s.columns[static_cast<std::size_t>(k)] * s.column_stride));
  return one.real(0);
}

void check(const weight_source &s, const literal &from, element_type to,
           packing how) {
  const auto n = static_cast<std::int64_t>(s.rows.size());
  const auto k = static_cast<std::int64_t>(s.columns.size());
  const auto form = hlo::array_shape(to, {n, k});
  const auto bytes = packed_bytes(form, how);
  std::vector<std::byte> out(bytes + 64, std::byte{0x5a});
  pack(s, form, how, out.data());
  std::vector<double> want(bytes / byte_size(to), 0.0);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < k; ++j)
      want.at(static_cast<std::size_t>(place_of(i, j, k, to, how))) =
          wanted(s, from, i, j, to);
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < want.size(); ++i)
    wrong +=
        hlo::read_real(to, out.data(), static_cast<std::int64_t>(i)) != want[i];
  BOOST_TEST(wrong == 0, wrong << " of " << want.size() << " elements of "
                               << to_string(form) << " differ");
  for (std::size_t i = bytes; i < out.size(); ++i)
    BOOST_REQUIRE((out[i] == std::byte{0x5a}));
}

weight_source whole(const literal &from) {
  weight_source s;
  s.type = from.form().type;
  s.data = from.bytes().data();
  s.row_stride = from.form().dim(1);
  s.rows.resize(static_cast<std::size_t>(from.form().dim(0)));
  s.columns.resize(static_cast<std::size_t>(from.form().dim(1)));
  std::iota(s.rows.begin(), s.rows.end(), 0);
  std::iota(s.columns.begin(), s.columns.end(), 0);
  return s;
}

} // namespace

BOOST_AUTO_TEST_SUITE(packing)

BOOST_AUTO_TEST_CASE(every_type_and_size) {
  for (const auto from : sources)
    for (const auto to : targets)
      for (const auto how :
           {neuron::packing::row_major, neuron::packing::panels})
        for (const std::int64_t n : {1, 63, 64, 65, 130})
          for (const std::int64_t k : {1, 2, 7, 64, 81}) {
            const literal m = random_matrix(from, n, k);
            check(whole(m), m, to, how);
          }
}

BOOST_AUTO_TEST_CASE(index_maps_select_repeat_and_pad) {
  for (const auto to : targets)
    for (const auto how :
         {neuron::packing::row_major, neuron::packing::panels}) {
      const literal m = random_matrix(element_type::f32, 20, 30);
      weight_source s = whole(m);
      s.rows = {5, 5, -1, 19, 0, -1, -1};
      s.columns = {-1, 29, 3, 3, -1};
      check(s, m, to, how);
      s.rows.assign(70, -1);
      check(s, m, to, how);
    }
}

BOOST_AUTO_TEST_CASE(transposed_sources) {
  for (const auto from : sources) {
    const literal m = random_matrix(from, 33, 70); // [K, N]
    weight_source s = whole(m);
    std::swap(s.rows, s.columns);
    std::swap(s.row_stride, s.column_stride);
    for (const auto to : targets)
      check(s, m, to, neuron::packing::panels);
  }
}

BOOST_AUTO_TEST_CASE(rows_longer_than_a_tile) {
  for (const auto to : targets)
    for (const std::int64_t k : {512, 1023, 2051}) {
      const literal m = random_matrix(element_type::bf16, 66, k);
      weight_source s = whole(m);
      check(s, m, to, neuron::packing::panels);
      // Runs of whole heads, gaps and an end of padding, none where tiles end.
      for (std::int64_t i = 0; i < k; ++i)
        s.columns[i] = i % 100 < 90 ? (i + 300) % k : -1;
      check(s, m, to, neuron::packing::panels);
      check(s, m, to, neuron::packing::row_major);
    }
}

BOOST_AUTO_TEST_CASE(transposed_sources_of_many_panels) {
  const literal m = random_matrix(element_type::f16, 5, 700); // [K, N]
  weight_source s = whole(m);
  std::swap(s.rows, s.columns);
  std::swap(s.row_stride, s.column_stride);
  s.columns[3] = -1;
  for (std::size_t i = 490; i < 530; ++i)
    s.rows[i] = i % 2 ? -1 : 7;
  for (const auto to : targets) {
    check(s, m, to, neuron::packing::panels);
    check(s, m, to, neuron::packing::row_major);
  }
}

BOOST_AUTO_TEST_CASE(sources_need_no_alignment) {
  const literal m = random_matrix(element_type::f32, 70, 40);
  std::vector<std::byte> shifted(m.bytes().size() + 1);
  std::copy(m.bytes().begin(), m.bytes().end(), shifted.begin() + 1);
  weight_source s = whole(m);
  s.data = shifted.data() + 1;
  for (const auto to : targets)
    check(s, m, to, neuron::packing::panels);
}

BOOST_AUTO_TEST_CASE(vectors_are_matrices_of_one_column) {
  const literal m = random_matrix(element_type::f32, 9, 1);
  weight_source s = whole(m);
  const auto form = hlo::array_shape(element_type::bf16, {9});
  std::vector<std::byte> out(packed_bytes(form, neuron::packing::row_major));
  BOOST_TEST(out.size() == 18u);
  pack(s, form, neuron::packing::row_major, out.data());
  for (std::int64_t i = 0; i < 9; ++i)
    BOOST_TEST(hlo::read_real(form.type, out.data(), i) ==
               wanted(s, m, i, 0, form.type));
}

/// Place of (n, k) in an int8 panel, from the description alone: of 16 bytes
/// the first half are the pairs of four outputs, the second half those 16
/// outputs further on.
std::int64_t int8_place_of(std::int64_t n, std::int64_t k, std::int64_t width) {
  const auto step = n / 64 * ((width + 1) / 2) + k / 2;
  const auto half = n % 64 / 32, high = n % 32 / 16, four = n % 16 / 4;
  return step * 128 + half * 64 + four * 16 + high * 8 + n % 4 * 2 + k % 2;
}

/// Quads are what `plain` says, and zeros where it says nothing.
void check_quads(const weight_source &s, const literal &plain) {
  const auto n = plain.form().dim(0), k = plain.form().dim(1);
  const auto steps = (k + 3) / 4;
  const auto how = neuron::packing::quads;
  std::vector<std::byte> quads(packed_bytes(plain.form(), how));
  BOOST_TEST_REQUIRE(quads.size() ==
                     static_cast<std::size_t>((n + 63) / 64 * steps * 256));
  pack(s, plain.form(), how, quads.data());
  for (std::int64_t i = 0; i < (n + 63) / 64 * 64; ++i)
    for (std::int64_t j = 0; j < steps * 4; ++j) {
      const auto at = ((i / 64 * steps + j / 4) * 64 + i % 64) * 4 + j % 4;
      const auto q = i < n && j < k ? plain.integer(i * k + j) : 0;
      BOOST_REQUIRE(static_cast<int>(quads[static_cast<std::size_t>(at)]) ==
                    q + neuron::quad_offset);
    }
}

void check_int8(const weight_source &s, const literal &from) {
  const auto n = static_cast<std::int64_t>(s.rows.size());
  const auto k = static_cast<std::int64_t>(s.columns.size());
  std::vector<float> scales(s.rows.size());
  int8_scales(s, "here", scales.data());
  weight_source scaled = s;
  scaled.scales = scales.data();
  const auto form = hlo::array_shape(element_type::s8, {n, k});
  literal plain(form);
  pack(scaled, form, neuron::packing::row_major, plain.bytes().data());
  std::vector<std::byte> panels(packed_bytes(form, neuron::packing::panels));
  pack(scaled, form, neuron::packing::panels, panels.data());
  check_quads(scaled, plain);
  for (std::int64_t i = 0; i < n; ++i) {
    double most = 0;
    for (std::int64_t j = 0; j < k; ++j)
      most = std::max(most, std::abs(wanted(s, from, i, j, element_type::f32)));
    BOOST_TEST(scales[i] == static_cast<float>(most) / 127.0f);
    for (std::int64_t j = 0; j < k; ++j) {
      const double w = wanted(s, from, i, j, element_type::f32);
      const auto q = plain.integer(i * k + j);
      const float units = static_cast<float>(w) / scales[i];
      BOOST_REQUIRE(q == (scales[i] == 0 ? 0 : std::nearbyint(units)));
      BOOST_REQUIRE(std::abs(w - double(q) * scales[i]) <=
                    (0.5 + 0x1p-17) * scales[i]);
      const auto code = static_cast<std::uint8_t>(
          panels[static_cast<std::size_t>(int8_place_of(i, j, k))]);
      BOOST_REQUIRE(int8_value(code) == q);
    }
  }
}

BOOST_AUTO_TEST_CASE(int8_panels_of_every_source) {
  for (const auto from : sources)
    for (const std::int64_t n : {1, 33, 64, 130})
      for (const std::int64_t k : {1, 2, 33}) {
        const literal m = random_matrix(from, n, k);
        check_int8(whole(m), m);
      }
}

BOOST_AUTO_TEST_CASE(int8_panels_of_long_rows_and_many_panels) {
  const literal rows = random_matrix(element_type::bf16, 3, 4101);
  check_int8(whole(rows), rows);
  const literal m = random_matrix(element_type::f32, 3, 1100);
  weight_source s = whole(m);
  std::swap(s.rows, s.columns);
  std::swap(s.row_stride, s.column_stride);
  check_int8(s, m);
}

BOOST_AUTO_TEST_CASE(int8_panels_of_slices_and_transposed_sources) {
  const literal m = random_matrix(element_type::bf16, 33, 70);
  weight_source s = whole(m);
  std::swap(s.rows, s.columns);
  std::swap(s.row_stride, s.column_stride);
  s.rows = {3, 69, -1, 0, 0};
  check_int8(s, m);
}

BOOST_AUTO_TEST_CASE(int8_rounds_half_to_even_and_keeps_within_127) {
  const float row[] = {127, -127, 0.5f, 1.5f, -0.5f, -1.5f, 126.5f, 125.5f};
  const literal m = literal::from_floats({1, 8}, row);
  weight_source s = whole(m);
  float scale = 0;
  int8_scales(s, "here", &scale);
  BOOST_TEST(scale == 1.0f);
  s.scales = &scale;
  literal q(hlo::array_shape(element_type::s8, {1, 8}));
  pack(s, q.form(), neuron::packing::row_major, q.bytes().data());
  const int want[] = {127, -127, 0, 2, 0, -2, 126, 126};
  for (int i = 0; i < 8; ++i)
    BOOST_TEST(q.integer(i) == want[i]);
}

BOOST_AUTO_TEST_CASE(int8_rows_of_zeros_and_of_the_smallest_numbers) {
  literal m = random_matrix(element_type::f32, 3, 5);
  for (int i = 0; i < 5; ++i) {
    m.set_real(i, 0.0);
    m.set_real(10 + i, i % 2 ? 1e-45 : -1e-45); // its scale is zero
  }
  weight_source s = whole(m);
  float scales[3];
  int8_scales(s, "here", scales);
  BOOST_TEST(scales[0] == 0.0f);
  BOOST_TEST(scales[2] == 0.0f);
  s.scales = scales;
  literal q(hlo::array_shape(element_type::s8, {3, 5}));
  pack(s, q.form(), neuron::packing::row_major, q.bytes().data());
  for (int i = 0; i < 5; ++i) {
    BOOST_TEST(q.integer(i) == 0);
    BOOST_TEST(q.integer(10 + i) == 0);
  }
}

BOOST_AUTO_TEST_CASE(int8_of_what_is_not_finite_is_refused) {
  for (const double bad : {std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    literal m = random_matrix(element_type::f32, 3, 5);
    m.set_real(7, bad);
    float scales[3];
    BOOST_CHECK_EXCEPTION(
        int8_scales(whole(m), "h.0.attn", scales), error, [](const error &e) {
          return e.code() == error_code::corrupt_data &&
                 e.where() == "h.0.attn" &&
                 std::string(e.what()).find("output 1") != std::string::npos;
        });
  }
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const literal m = random_matrix(element_type::f32, 3, 4);
  std::vector<std::byte> out(4096);
  const auto form = hlo::array_shape(element_type::f32, {3, 4});
  weight_source s = whole(m);
  s.rows.pop_back();
  BOOST_CHECK_THROW(pack(s, form, neuron::packing::panels, out.data()), error);
  s = whole(m);
  s.type = element_type::s32;
  BOOST_CHECK_THROW(pack(s, form, neuron::packing::panels, out.data()), error);
  BOOST_CHECK_THROW(pack(whole(m), hlo::array_shape(element_type::s8, {3, 4}),
                         neuron::packing::row_major, out.data()),
                    error);
}

BOOST_AUTO_TEST_CASE(sources_follow_each_other_in_every_packing) {
  const auto first = random_matrix(element_type::f32, 70, 33),
             second = random_matrix(element_type::bf16, 9, 33);
  const std::vector parts{whole(first), whole(second)};
  literal joined(hlo::array_shape(element_type::f32, {79, 33}));
  for (std::int64_t i = 0; i < 70 * 33; ++i)
    joined.set_real(i, first.real(i));
  for (std::int64_t i = 0; i < 9 * 33; ++i)
    joined.set_real(70 * 33 + i, second.real(i));
  for (const auto how : {neuron::packing::row_major, neuron::packing::panels})
    for (const auto type : {element_type::f32, element_type::bf16}) {
      const auto form = hlo::array_shape(type, {79, 33});
      std::vector<std::byte> together(packed_bytes(form, how)),
          apart(together.size());
      pack(whole(joined), form, how, together.data());
      pack(parts, form, how, apart.data());
      BOOST_TEST((together == apart));
    }
}

BOOST_AUTO_TEST_CASE(tiles_hold_every_element_once_and_zeros) {
  const auto from = random_matrix(element_type::f32, 200, 130);
  for (const hlo::dims &d : {hlo::dims{128, 2, 2, 128}, {2, 128, 130}}) {
    literal tiles(hlo::array_shape(element_type::f32, d));
    pack(whole(from), tiles.form(), neuron::packing::row_major,
         tiles.bytes().data());
    double sum = 0, want = 0;
    for (std::int64_t i = 0; i < tiles.form().size(); ++i)
      sum += std::abs(tiles.real(i));
    for (std::int64_t n = 0; n < 200; ++n)
      for (std::int64_t k = 0; k < 130; ++k) {
        // As hlo::tiling has it.
        const std::int64_t place =
            d.size() == 3
                ? n * 130 + k
                : ((k % 128 * 2 + n / 128) * 2 + k / 128) * 128 + n % 128;
        BOOST_REQUIRE(tiles.real(place) == from.real(n * 130 + k));
        want += std::abs(from.real(n * 130 + k));
      }
    BOOST_TEST(sum == want, boost::test_tools::tolerance(1e-9));
  }
}

BOOST_AUTO_TEST_SUITE_END()
