#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::string with_length(std::uint64_t length, const std::string &rest) {
  std::string out(8, '\0');
  std::memcpy(out.data(), &length, 8);
  return out + rest;
}

std::string parse_error(const std::string &file) {
  return error_text(
      [&] { safetensors_file::parse(std::as_bytes(std::span(file)), "f"); });
}

/// What a file with this header and so many zero bytes of data fails with.
std::string header_error(const std::string &header, std::size_t data) {
  return parse_error(with_length(header.size(), header) +
                     std::string(data, '\0'));
}

} // namespace

BOOST_AUTO_TEST_SUITE(safetensors)

BOOST_AUTO_TEST_CASE(reads_what_was_written) {
  const scratch_directory dir;
  const std::vector<float> floats{1, 2, 3, 4, 5, 6};
  const std::vector<std::uint8_t> bytes{7, 8, 9};
  const std::vector<tensor_view> tensors{
      {"b", tensor_dtype::u8, {3}, std::as_bytes(std::span(bytes))},
      {"a \"q\"", tensor_dtype::f32, {2, 3}, std::as_bytes(std::span(floats))},
      {"none", tensor_dtype::bf16, {0, 4}, {}},
      {"scalar",
       tensor_dtype::f32,
       {},
       std::as_bytes(std::span(floats).first(1))}};
  write_safetensors(dir / "x.safetensors", tensors, {{"key", "välue"}});

  const auto file = safetensors_file::open(dir / "x.safetensors");
  BOOST_TEST(file.tensors().size() == 4u);
  BOOST_TEST(file.metadata().at("key") == "välue");
  for (const auto &wanted : tensors) {
    const auto *found = file.find(wanted.name);
    BOOST_REQUIRE(found != nullptr);
    BOOST_TEST(found->dims == wanted.dims, boost::test_tools::per_element());
    BOOST_TEST((found->dtype == wanted.dtype));
    BOOST_TEST(std::ranges::equal(found->bytes, wanted.bytes));
    const auto at = reinterpret_cast<std::uintptr_t>(found->bytes.data());
    BOOST_TEST(at % size_of(found->dtype) == 0u);
  }
  BOOST_TEST(file.find("missing") == nullptr);
}

BOOST_AUTO_TEST_CASE(views_survive_a_move) {
  auto file = safetensors_file::open(fixture("models/llama/model.safetensors"));
  const auto *before = file.find("model.norm.weight");
  const auto moved = std::move(file);
  BOOST_TEST(moved.find("model.norm.weight") == before);
  BOOST_TEST(before->bytes.size() == 64u * 4);
}

BOOST_AUTO_TEST_CASE(refuses_bad_lengths) {
  BOOST_TEST(parse_error("") == "corrupt_data: f: too short for a safetensors "
                                "file: 0 bytes");
  BOOST_TEST(contains(parse_error("1234567"), "too short"));
  BOOST_TEST(contains(parse_error(with_length(100, "{}")), "does not fit"));
  BOOST_TEST(contains(parse_error(with_length(~0ull, "{}")), "exceeds"));
  BOOST_TEST(contains(parse_error(with_length(100'000'001, "{}")), "exceeds"));
  BOOST_TEST(contains(parse_error(with_length(0, "")), "begin with '{'"));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_an_error) {
  const std::string header =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string file =
      with_length(header.size(), header) + std::string(8, '\1');
  BOOST_TEST(parse_error(file) == "no error");
  for (std::size_t size = 0; size < file.size(); ++size)
    BOOST_TEST(parse_error(file.substr(0, size)).starts_with("corrupt_data"),
               "length " << size);
}

BOOST_AUTO_TEST_CASE(refuses_headers_that_lie) {
  struct {
    const char *header;
    std::size_t data;
    const char *message;
  } const cases[] = {
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,12]}})", 12,
       "f: a: F32 [2] takes 8 bytes but data_offsets [0, 12) hold 12"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 4,
       "lie outside the 4 bytes"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8,
       "end before they begin"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[-8,0]}})", 8,
       "a.data_offsets[0]: must not be negative, is -8"},
      {R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8,9]}})", 8,
       "expected two numbers, found 3"},
      {R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8,
       "a.shape[0]: must not be negative"},
      {R"({"a":{"dtype":"F32","shape":[2.5],"data_offsets":[0,8]}})", 8,
       "a.shape[0]: expected an integer"},
      {R"({"a":{"dtype":"F32","shape":[18446744073709551615],)"
       R"("data_offsets":[0,8]}})",
       8, "a.shape[0]: expected an integer"},
      {R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],)"
       R"("data_offsets":[0,8]}})",
       8, "dimensions overflow"},
      {R"({"a":{"dtype":"F31","shape":[2],"data_offsets":[0,8]}})", 8,
       "a.dtype: unknown element type 'F31'; known: F64, F32"},
      {R"({"a":{"dtype":7,"shape":[2],"data_offsets":[0,8]}})", 8,
       "a.dtype: expected a string"},
      {R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8,
       "a.dtype: required but missing"},
      {R"({"a":{"dtype":"F32","dtype":"F16","shape":[2],)"
       R"("data_offsets":[0,8]}})",
       8, "a.dtype: given twice"},
      {R"({"a":[]})", 0, "a: expected an object"},
      {R"([])", 0, "does not begin with '{'"},
      {R"({"a":)", 0, "not valid JSON"},
      {R"({"__metadata__":{"k":1}})", 0, "__metadata__.k: expected a string"},
      {R"({"__metadata__":{},"__metadata__":{}})", 0, "given twice"},
      {R"({})", 8, "tensors end at byte 0 but the data has 8"},
  };
  for (const auto &c : cases) {
    const auto text = header_error(c.header, c.data);
    BOOST_TEST(text.starts_with("corrupt_data: f: "), text);
    BOOST_TEST(contains(text, c.message), text << " for " << c.header);
  }
}

BOOST_AUTO_TEST_CASE(tensors_must_tile_the_data) {
  const auto two = [](const std::string &name, const std::string &first,
                      const std::string &second) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
           R"(},")" + name + R"(":{"dtype":"U8","shape":[4],"data_offsets":)" +
           second + "}}";
  };
  BOOST_TEST(header_error(two("b", "[0,4]", "[4,8]"), 8) == "no error");
  BOOST_TEST(header_error(two("b", "[4,8]", "[0,4]"), 8) == "no error");
  BOOST_TEST(contains(header_error(two("b", "[0,4]", "[2,6]"), 6),
                      "f: b: overlaps the tensor before it"));
  BOOST_TEST(contains(header_error(two("b", "[0,4]", "[0,4]"), 4), "overlaps"));
  BOOST_TEST(contains(header_error(two("b", "[0,4]", "[5,9]"), 9),
                      "f: b: leaves a gap before it"));
  BOOST_TEST(contains(header_error(two("b", "[0,4]", "[4,8]"), 9), "end at"));
  BOOST_TEST(contains(header_error(two("a", "[0,4]", "[4,8]"), 8),
                      "f: a: given twice"));
}

BOOST_AUTO_TEST_CASE(a_header_of_endless_items_is_refused_unparsed) {
  const std::string commas(3'000'000, ',');
  BOOST_TEST(contains(header_error("{" + commas + "}", 0), "lists more than"));
}

BOOST_AUTO_TEST_CASE(files_that_are_no_files) {
  const scratch_directory dir;
  const auto opening = [&](const std::string &name) {
    return error_text([&] { safetensors_file::open(dir / name); });
  };
  BOOST_TEST(opening("absent").starts_with("not_found: " + dir.path()));
  BOOST_TEST(contains(opening(""), "is a directory, expected a file"));
  dir.write("empty", "");
  BOOST_TEST(contains(opening("empty"), "too short"));
}

BOOST_AUTO_TEST_SUITE_END()
