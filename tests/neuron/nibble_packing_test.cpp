// Int4 weights out of floats: how far they are off, what is refused, and that
// packed ones are the same numbers.
#include "hlo/support/error.hpp"
#include "neuron/kernels/nibble_panel.hpp"
#include "neuron/nibble_packing.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace ganglion;

namespace {

struct made {
  std::vector<std::int8_t> codes;
  std::vector<float16> scales;
};

made encode(const std::vector<float> &x, std::int64_t n, std::int64_t k,
            std::int64_t group) {
  made out;
  out.codes.resize(x.size());
  out.scales.resize(static_cast<std::size_t>(n * ((k + group - 1) / group)));
  neuron::int4_codes(
      neuron::matrix_source(hlo::element_type::f32, x.data(), {n, k}), group,
      "w", out.codes.data(), out.scales.data());
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(nibble_packing)

BOOST_AUTO_TEST_CASE(weights_are_off_by_half_a_scale_at_most) {
  std::mt19937 random(1);
  std::normal_distribution<float> draw(0, 0.02f);
  for (const std::int64_t group : {32, 64, 128})
    for (const std::int64_t k : {1, 31, 32, 33, 200}) {
      std::vector<float> x(static_cast<std::size_t>(70 * k));
      for (auto &v : x)
        v = draw(random);
      const auto m = encode(x, 70, k, group);
      const auto groups = (k + group - 1) / group;
      for (std::int64_t i = 0; i < 70 * k; ++i) {
        const double scale = to_float(m.scales[i / k * groups + i % k / group]);
        // The largest is off by what its scale was rounded by.
        const double bound = scale / 2 + std::abs(x[i]) * 0x1p-10;
        BOOST_TEST_REQUIRE(std::abs(m.codes[i]) <= 7);
        BOOST_TEST_REQUIRE(std::abs(m.codes[i] * scale - x[i]) <= bound);
      }
    }
}

BOOST_AUTO_TEST_CASE(groups_of_zeros_are_zeros) {
  std::vector<float> x(64, 0.0f);
  x[40] = 1e-30f; // too small for a scale
  const auto m = encode(x, 1, 64, 32);
  for (const auto code : m.codes)
    BOOST_TEST(code == 0);
  BOOST_TEST(to_float(m.scales[1]) == 0.0f);
}

BOOST_AUTO_TEST_CASE(what_has_no_scale_is_refused) {
  for (const float bad : {std::numeric_limits<float>::infinity(), 1e6f,
                          std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> x(64, 1.0f);
    x[33] = bad;
    BOOST_CHECK_EXCEPTION(encode(x, 2, 32, 32), error, [](const error &e) {
      return e.where() == "w" &&
             std::string(e.what()).find("output 1") != std::string::npos;
    });
  }
}

BOOST_AUTO_TEST_CASE(panels_hold_the_numbers) {
  constexpr std::int64_t n = 130, k = 21, steps = 3;
  std::vector<std::int8_t> codes(n * k);
  for (std::int64_t i = 0; i < n * k; ++i)
    codes[i] = static_cast<std::int8_t>(i * 7 % 16 - 8);
  const auto source =
      neuron::matrix_source(hlo::element_type::s8, codes.data(), {n, k});
  const auto form = hlo::array_shape(hlo::element_type::s8, {n, k});
  std::vector<std::byte> out(
      neuron::packed_bytes(form, neuron::packing::nibbles));
  BOOST_TEST(out.size() == 3u * steps * 256);
  neuron::pack(source, form, neuron::packing::nibbles, out.data());
  for (std::int64_t row = 0; row < 192; ++row)
    for (std::int64_t i = 0; i < steps * 8; ++i) {
      const auto byte = static_cast<int>(
          out[((row / 64 * steps + i / 8) * 64 + row % 64) * 4 + i % 4]);
      const int got = (i % 8 < 4 ? byte & 15 : byte >> 4) - 8;
      const int want = row < n && i < k ? codes[row * k + i] : 0;
      BOOST_TEST_REQUIRE(got == want);
    }
}

BOOST_AUTO_TEST_SUITE_END()
