#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "runtime/checkpoint/convert.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstring>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

/// The second and third of three stored elements, read from bytes that are
/// deliberately misaligned.
template <class Stored>
std::array<float, 2> middle(tensor_dtype dtype,
                            const std::array<Stored, 3> &stored) {
  std::array<std::byte, sizeof stored + 1> shifted;
  std::memcpy(shifted.data() + 1, stored.data(), sizeof stored);
  const tensor_view view{"t", dtype, {3}, std::span(shifted).subspan(1)};
  std::array<float, 2> out;
  copy_as_float(view, 1, out);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(convert)

BOOST_AUTO_TEST_CASE(reads_each_float_type) {
  const std::array<float, 2> wanted{-0.5f, 3.0f};
  BOOST_TEST((middle<float>(tensor_dtype::f32, {1, -0.5f, 3}) == wanted));
  BOOST_TEST((middle<double>(tensor_dtype::f64, {1, -0.5, 3}) == wanted));
  BOOST_TEST(
      (middle<float16>(tensor_dtype::f16, {to_float16(1), to_float16(-0.5f),
                                           to_float16(3)}) == wanted));
  BOOST_TEST(
      (middle<bfloat16>(tensor_dtype::bf16, {to_bfloat16(1), to_bfloat16(-0.5f),
                                             to_bfloat16(3)}) == wanted));
}

BOOST_AUTO_TEST_CASE(refuses_other_types_and_ranges) {
  const std::array<std::byte, 8> bytes{};
  std::array<float, 3> out;
  const tensor_view floats{"t", tensor_dtype::f32, {2}, bytes};
  BOOST_CHECK_THROW(copy_as_float(floats, 0, out), error);
  BOOST_CHECK_THROW(copy_as_float(floats, ~0ull, std::span(out).first(1)),
                    error);
  BOOST_CHECK_NO_THROW(copy_as_float(floats, 2, std::span(out).first(0)));
  const tensor_view ints{"i", tensor_dtype::i64, {1}, bytes};
  BOOST_TEST(
      error_text([&] { copy_as_float(ints, 0, std::span(out).first(1)); }) ==
      "unsupported: i: cannot read I64 as float; accepted: F32, F16, "
      "BF16, F64");
}

BOOST_AUTO_TEST_SUITE_END()
