#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::size_t files_in(const scratch_directory &dir) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto &entry :
       std::filesystem::directory_iterator(dir.path()))
    ++count;
  return count;
}

} // namespace

BOOST_AUTO_TEST_SUITE(safetensors_writer)

BOOST_AUTO_TEST_CASE(pieces_may_come_in_any_order) {
  const scratch_directory dir;
  const std::vector<std::byte> low(4, std::byte{1}), high(4, std::byte{2});
  {
    runtime::safetensors_writer writer(dir / "w",
                                       {{"t", tensor_dtype::u8, {8}}});
    writer.write(0, 4, high);
    writer.write(0, 0, low);
    BOOST_TEST(!std::filesystem::exists(dir / "w"));
    writer.commit();
  }
  BOOST_TEST(files_in(dir) == 1u);
  const auto file = safetensors_file::open(dir / "w");
  BOOST_TEST((file.find("t")->bytes[3] == std::byte{1}));
  BOOST_TEST((file.find("t")->bytes[4] == std::byte{2}));
}

BOOST_AUTO_TEST_CASE(an_unfinished_file_vanishes) {
  const scratch_directory dir;
  dir.write("w", "old");
  {
    runtime::safetensors_writer writer(dir / "w",
                                       {{"t", tensor_dtype::u8, {8}}});
    BOOST_CHECK_THROW(writer.commit(), error); // nothing written yet
  }
  BOOST_TEST(files_in(dir) == 1u);
  BOOST_TEST(std::filesystem::file_size(dir / "w") == 3u);
}

BOOST_AUTO_TEST_CASE(refuses_what_no_file_can_hold) {
  const scratch_directory dir;
  const auto making = [&](std::vector<tensor_spec> specs) {
    return error_text(
        [&] { runtime::safetensors_writer(dir / "w", std::move(specs)); });
  };
  using enum tensor_dtype;
  BOOST_TEST(contains(making({{"t", u8, {1}}, {"t", u8, {1}}}), "is taken"));
  BOOST_TEST(contains(making({{"__metadata__", u8, {1}}}), "is taken"));
  BOOST_TEST(contains(making({{"t", u8, {-1}}}), "impossible dimensions [-1]"));
  const std::vector<tensor_view> wrong{{"t", f32, {2}, {}}};
  BOOST_TEST(contains(error_text([&] { write_safetensors(dir / "w", wrong); }),
                      "t: [2] does not take 0 bytes"));
  BOOST_TEST(error_text([&] {
               write_safetensors(dir / "no/w", {});
             }).starts_with("not_found"));
  BOOST_TEST(files_in(dir) == 0u);

  runtime::safetensors_writer writer(dir / "w", {{"t", u8, {2}}});
  const std::vector<std::byte> three(3);
  BOOST_CHECK_THROW(writer.write(0, 0, three), error);
  BOOST_CHECK_THROW(writer.write(0, 3, {}), error);
}

BOOST_AUTO_TEST_SUITE_END()
