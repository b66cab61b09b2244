#include "runtime/checkpoint/crc32.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/checkpoint/torch_writer.hpp"
#include "runtime/checkpoint/zip_archive.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

void check_equal(const checkpoint &a, const checkpoint &b) {
  BOOST_REQUIRE(a.names() == b.names());
  for (const auto &name : a.names()) {
    const auto x = a.at(name), y = b.at(name);
    BOOST_TEST((x.dtype == y.dtype), name);
    BOOST_TEST(x.dims == y.dims, name);
    BOOST_TEST(std::ranges::equal(x.bytes, y.bytes), name);
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(save_split)

BOOST_AUTO_TEST_CASE(crc_is_that_of_zip) {
  const std::string text = "123456789";
  BOOST_TEST(crc32(std::as_bytes(std::span(text))) == 0xcbf43926u);
  BOOST_TEST(crc32({}) == 0u);
}

BOOST_AUTO_TEST_CASE(reads_back_with_identical_bits) {
  for (const char *name :
       {"models/llama", "models/llama-sharded", "models/gpt2-bin-bf16",
        "models/gptj-f16", "models/bloom-bin-sharded", "e2e/e2e-gpt2"}) {
    const scratch_directory to;
    save_pretrained_split(fixture(name), to / "split");
    check_equal(*checkpoint::open(fixture(name)),
                *checkpoint::open(to / "split", checkpoint_form::split));
  }
}

BOOST_AUTO_TEST_CASE(brings_config_and_tokenizer_along) {
  const scratch_directory to;
  const auto from = fixture("e2e/e2e-gpt2");
  save_pretrained_split(from, to.path());
  for (const auto &entry : std::filesystem::directory_iterator(from)) {
    const auto name = entry.path().filename().string();
    if (name.ends_with(".json"))
      BOOST_TEST(std::filesystem::exists(to / name), name);
  }
  BOOST_TEST(!std::filesystem::exists(to / "model.safetensors"));
}

BOOST_AUTO_TEST_CASE(files_are_named_as_the_format_says) {
  const scratch_directory to;
  save_pretrained_split(fixture("models/llama"), to.path());
  const auto inside = to / "pytorch_model.bin";
  BOOST_TEST(std::filesystem::exists(inside + "/p0.lm_head.weight"));
  std::ifstream list(inside + "/key_to_filename.json");
  std::string line;
  std::getline(list, line);
  BOOST_TEST(line == "{");
  std::getline(list, line);
  BOOST_TEST(line == "  \"lm_head.weight\": \"p0.lm_head.weight\",");
}

BOOST_AUTO_TEST_CASE(elements_are_aligned_in_the_archive) {
  const scratch_directory to;
  const std::vector<std::byte> bytes(24, std::byte{1});
  write_torch_tensor(to / "t", {"t", tensor_dtype::f32, {2, 3}, bytes});
  const auto file = mapped_file::open(to / "t");
  const auto archive = zip_archive::parse(file.bytes(), "t");
  const auto *data = archive.find("archive/data/0");
  BOOST_REQUIRE(data);
  BOOST_TEST((data->data() - file.bytes().data()) % 64 == 0);
}

BOOST_AUTO_TEST_CASE(odd_tensors_read_back) {
  const scratch_directory to;
  const std::vector<std::byte> bytes(8, std::byte{3});
  const auto back = [&](tensor_dtype dtype, std::vector<std::int64_t> dims,
                        std::size_t size) {
    write_torch_tensor(to / "t",
                       {"t", dtype, dims, std::span(bytes).first(size)});
    const auto file = torch_file::open_tensor(to / "t", "t");
    const auto &t = file.tensors().front();
    return t.dims == dims && t.dtype == dtype && t.bytes.size() == size;
  };
  BOOST_TEST(back(tensor_dtype::f32, {}, 4));
  BOOST_TEST(back(tensor_dtype::i64, {1}, 8));
  BOOST_TEST(back(tensor_dtype::boolean, {2, 1, 4}, 8));
  BOOST_TEST(back(tensor_dtype::bf16, {0, 3}, 0));
}

BOOST_AUTO_TEST_CASE(refuses_what_torch_has_no_storage_for) {
  const scratch_directory to;
  const std::byte one{};
  BOOST_TEST(error_text([&] {
               write_torch_tensor(to / "t",
                                  {"t", tensor_dtype::f8_e4m3, {1}, {&one, 1}});
             }) == "unsupported: torch has no storages of type F8_E4M3");
}

BOOST_AUTO_TEST_CASE(refuses_to_write_over_its_source) {
  const auto from = fixture("models/llama");
  BOOST_TEST(contains(error_text([&] { save_pretrained_split(from, from); }),
                      "invalid_argument: " + from));
}

BOOST_AUTO_TEST_CASE(load_split_model_takes_nothing_else) {
  const auto path = fixture("models/llama");
  BOOST_TEST(contains(
      error_text([&] { checkpoint::open(path, checkpoint_form::split); }),
      "not_found: " + path + ": load_split_model: "));
}

BOOST_AUTO_TEST_SUITE_END()
