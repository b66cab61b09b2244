// Directories whose weights are cut, mixed up or of the wrong type: refused
// with the file, the tensor and the reason.
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/models/model_source.hpp"
#include "tests/runtime/copied_model.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <random>

#include <sys/stat.h>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

std::string open_error(const std::string &directory) {
  return error_text([&] { runtime::model_source::open(directory); });
}

/// Names of the shards that an index has, sorted.
std::vector<std::string> shards_of(const copied_model &model,
                                   const std::string &ending) {
  std::vector<std::string> out;
  for (const auto &entry : std::filesystem::directory_iterator(model.path()))
    if (const auto name = entry.path().filename().string();
        name.ends_with(ending) && contains(name, "-of-"))
      out.push_back(name);
  std::ranges::sort(out);
  return out;
}

/// The golden's safetensors file with its tensors as `change` leaves them.
template <class Change>
std::string error_of_changed(Change change) {
  copied_model model("llama");
  const auto original =
      runtime::safetensors_file::open(model / "model.safetensors");
  auto tensors = original.tensors();
  change(tensors);
  std::filesystem::remove(model / "model.safetensors");
  runtime::write_safetensors(model / "model.safetensors", tensors);
  const auto text = open_error(model.path());
  BOOST_TEST(contains(text, model.path()), text);
  return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(malformed_weights)

BOOST_AUTO_TEST_CASE(every_shard_that_is_cut_is_named) {
  for (const auto &[golden, ending] :
       {std::pair("llama-sharded", ".safetensors"),
        std::pair("gpt_neox-sharded", ".safetensors"),
        std::pair("bloom-bin-sharded", ".bin")}) {
    const auto names = shards_of(copied_model(golden), ending);
    BOOST_REQUIRE(names.size() > 1u);
    for (const auto &name : names) {
      copied_model model(golden);
      const auto whole = model.read(name);
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() / 2,
            whole.size() - 1}) {
        model.write(name, whole.substr(0, size));
        const auto text = open_error(model.path());
        BOOST_TEST(text.starts_with("corrupt_data: " + (model / name) + ": "),
                   text << " with " << size << " bytes");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(shards_that_are_no_files_or_each_others) {
  copied_model model("llama-sharded");
  const auto names = shards_of(model, ".safetensors");
  const auto path = model / names[0];
  model.write(names[0], model.read(names[1]));
  BOOST_TEST(contains(open_error(model.path()),
                      path + ": does not contain what " +
                          (model / "model.safetensors.index.json")));
  std::filesystem::remove(path);
  BOOST_TEST(
      contains(open_error(model.path()), "shard '" + names[0] + "' named by"));
  BOOST_REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  BOOST_TEST(
      contains(open_error(model.path()), path + ": is not a regular file"));
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  BOOST_TEST(
      contains(open_error(model.path()), path + ": is not a regular file"));
}

BOOST_AUTO_TEST_CASE(types_that_are_no_weights_are_named_with_their_file) {
  using enum runtime::tensor_dtype;
  for (const auto &[dtype, name] :
       {std::pair(i32, "I32"), std::pair(u32, "U32")})
    BOOST_TEST(
        contains(error_of_changed([&, type = dtype](auto &tensors) {
                   for (auto &tensor : tensors)
                     if (tensor.name == "model.norm.weight")
                       tensor.dtype = type;
                 }),
                 "mis-typed (1): model.norm.weight (model.safetensors) is " +
                     std::string(name) + ", accepted: F64, F32, F16, BF16"));
}

BOOST_AUTO_TEST_CASE(dimensions_and_names_are_told_with_their_file) {
  BOOST_TEST(contains(
      error_of_changed([](auto &tensors) {
        for (auto &tensor : tensors)
          if (tensor.name == "model.norm.weight")
            tensor.dims = {8, 8};
      }),
      "mis-shaped (1): model.norm.weight (model.safetensors) is [8, 8], "
      "expected [64]"));
  BOOST_TEST(contains(error_of_changed([](auto &tensors) {
                        for (auto &tensor : tensors)
                          if (tensor.name == "model.norm.weight")
                            tensor.name = "model.norm.weights";
                      }),
                      "missing (1): model.norm.weight; unexpected (1): "
                      "model.norm.weights (model.safetensors)"));
}

BOOST_AUTO_TEST_CASE(a_flood_of_tensors_does_not_flood_the_message) {
  const auto text = error_of_changed([](auto &tensors) {
    for (int i = 0; i < 5000; ++i)
      tensors.push_back(
          {"x" + std::to_string(i), runtime::tensor_dtype::u8, {0}, {}});
  });
  BOOST_TEST(contains(text, "unexpected (5000): x0 "));
  BOOST_TEST(contains(text, ", and 4000 more"));
}

// Whatever a header says: a model, or a refusal that names the file.
BOOST_AUTO_TEST_CASE(no_byte_of_a_header_does_harm) {
  copied_model model("llama");
  const auto whole = model.read("model.safetensors");
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof header);
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    auto spoilt = whole;
    for (int flips = 0; flips <= i % 3; ++flips)
      spoilt[random() % (8 + header)] = static_cast<char>(random());
    model.write("model.safetensors", spoilt);
    const auto text = open_error(model.path());
    BOOST_TEST((text == "no error" ||
                text.starts_with("corrupt_data: " + model.path())),
               text);
  }
}

BOOST_AUTO_TEST_CASE(no_byte_of_a_torch_file_does_harm) {
  copied_model model("gpt2-bin-bf16");
  const auto whole = model.read("pytorch_model.bin");
  std::mt19937 random(7);
  for (int i = 0; i < 1000; ++i) {
    auto spoilt = whole;
    // The pickle stands first, the archive's directory last.
    const auto near = random() % 4000;
    spoilt[i % 2 ? near : whole.size() - 1 - near] =
        static_cast<char>(random());
    model.write("pytorch_model.bin", spoilt);
    const auto text = open_error(model.path());
    BOOST_TEST((text == "no error" || (contains(text, model.path()) &&
                                       !text.starts_with("internal"))),
               text);
  }
}

BOOST_AUTO_TEST_SUITE_END()
