#include "runtime/checkpoint/checkpoint.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/checkpoint/tensor_check.hpp"
#include "runtime/json/reader.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

std::string open_error(const std::string &path) {
  return error_text([&] { checkpoint::open(path); });
}

std::string index_text(const std::string &file) {
  return R"({"metadata":{"total_size":1},"weight_map":{"t":")" + file +
         R"("}})";
}

void write_byte_tensor(const std::string &path, const std::string &name) {
  const std::byte one{1};
  const std::vector<tensor_view> tensors{
      {name, tensor_dtype::u8, {1}, std::span(&one, 1)}};
  write_safetensors(path, tensors);
}

} // namespace

BOOST_AUTO_TEST_SUITE(checkpoint)

BOOST_AUTO_TEST_CASE(opens_every_model_in_the_tree) {
  for (const char *name :
       {"models/llama", "models/llama-mha", "models/llama-sharded",
        "models/llama-rope-linear", "models/llama3", "models/gpt2",
        "e2e/e2e-gpt2", "models/gpt2-bin-bf16", "models/opt-bin",
        "models/bloom-bin-sharded"}) {
    const auto weights = runtime::checkpoint::open(fixture(name));
    BOOST_TEST(weights->names().size() > 10u, name);
    for (const auto &tensor : weights->names())
      BOOST_TEST(weights->at(tensor).bytes.size() > 0u);
  }
  BOOST_TEST(runtime::checkpoint::open(stories260k())->total_bytes() > 0u);
}

BOOST_AUTO_TEST_CASE(shards_are_one_checkpoint) {
  const auto path = fixture("models/llama-sharded");
  const auto shards = runtime::checkpoint::open(path);
  const auto index =
      json::document::load(path + "/model.safetensors.index.json");
  const auto map = index.root().at("weight_map").members();
  BOOST_TEST(shards->names().size() == map.size());
  for (const auto &[name, file] : map)
    BOOST_TEST(shards->contains(name), name);
  BOOST_TEST(shards->total_bytes() == 684800u);
  BOOST_TEST(shards->contains("lm_head.weight"));
  BOOST_TEST(!shards->find("nope").has_value());
  BOOST_TEST(contains(error_text([&] { shards->at("nope"); }),
                      "nope: no such tensor"));
}

BOOST_AUTO_TEST_CASE(says_what_it_looked_for) {
  const scratch_directory dir;
  BOOST_TEST(
      open_error(dir / "absent").starts_with("not_found: " + (dir / "absent")));
  BOOST_TEST(contains(open_error(dir.path()),
                      "looked for model.safetensors, "
                      "model.safetensors.index.json, pytorch_model.bin and "
                      "pytorch_model.bin.index.json"));
  dir.write("file", "");
  BOOST_TEST(contains(open_error(dir / "file"), "is not a directory"));
  dir.write("pytorch_model.bin", "");
  BOOST_TEST(contains(open_error(dir.path()),
                      "pytorch_model.bin: zip directory: not a zip archive"));
}

BOOST_AUTO_TEST_CASE(every_tensor_of_a_torch_file_has_its_shape) {
  const auto opt = runtime::checkpoint::open(fixture("models/opt-bin"));
  std::vector<expected_tensor> expected{
      {"lm_head.weight", {320, 64}},
      {"model.decoder.embed_tokens.weight", {320, 64}},
      {"model.decoder.embed_positions.weight", {130, 64}}};
  const auto add = [&](const std::string &name, std::int64_t rows,
                       std::int64_t columns) {
    expected.push_back({name + ".weight", {rows, columns}});
    expected.push_back({name + ".bias", {rows}});
  };
  const auto add_norm = [&](const std::string &name) {
    expected.push_back({name + ".weight", {64}});
    expected.push_back({name + ".bias", {64}});
  };
  add_norm("model.decoder.final_layer_norm");
  for (const std::string layer : {"0", "1"}) {
    const auto prefix = "model.decoder.layers." + layer + ".";
    for (const char *name : {"q_proj", "k_proj", "v_proj", "out_proj"})
      add(prefix + "self_attn." + name, 64, 64);
    add(prefix + "fc1", 200, 64);
    add(prefix + "fc2", 64, 200);
    add_norm(prefix + "self_attn_layer_norm");
    add_norm(prefix + "final_layer_norm");
  }
  check_tensors(*opt, expected);
  // Tied: one storage, two names.
  BOOST_TEST(opt->at("lm_head.weight").bytes.data() ==
             opt->at("model.decoder.embed_tokens.weight").bytes.data());

  expected = {{"transformer.word_embeddings.weight", {320, 64}},
              {"lm_head.weight", {320, 64}}};
  add_norm("transformer.word_embeddings_layernorm");
  add_norm("transformer.ln_f");
  for (const std::string layer : {"0", "1", "2"}) {
    const auto prefix = "transformer.h." + layer + ".";
    add(prefix + "self_attention.query_key_value", 192, 64);
    add(prefix + "self_attention.dense", 64, 64);
    add(prefix + "mlp.dense_h_to_4h", 256, 64);
    add(prefix + "mlp.dense_4h_to_h", 64, 256);
    add_norm(prefix + "input_layernorm");
    add_norm(prefix + "post_attention_layernorm");
  }
  check_tensors(*runtime::checkpoint::open(fixture("models/bloom-bin-sharded")),
                expected);
}

BOOST_AUTO_TEST_CASE(forms_are_preferred_in_order) {
  const scratch_directory dir;
  const auto first_name = [&] {
    return runtime::checkpoint::open(dir.path())->names().front();
  };
  const auto torch_file_with = [](const std::string &name) {
    return torch_bytes(dict_of(text_of(name) + tensor_of({{6}, {1}})));
  };
  dir.write("shard.bin", torch_file_with("sharded_torch"));
  dir.write("pytorch_model.bin.index.json",
            R"({"weight_map":{"sharded_torch":"shard.bin"}})");
  BOOST_TEST(first_name() == "sharded_torch");
  dir.write("pytorch_model.bin", torch_file_with("torch"));
  BOOST_TEST(first_name() == "torch");
  std::filesystem::remove(dir / "pytorch_model.bin");
  std::filesystem::create_directory(dir / "pytorch_model.bin");
  dir.write("pytorch_model.bin/p0",
            torch_bytes("\x80\x02" + tensor_of({{6}, {1}}) + "."));
  dir.write("pytorch_model.bin/key_to_filename.json", R"({"split":"p0"})");
  BOOST_TEST(first_name() == "split");
  write_byte_tensor(dir / "s.safetensors", "t");
  dir.write("model.safetensors.index.json", index_text("s.safetensors"));
  BOOST_TEST(first_name() == "t");
  write_byte_tensor(dir / "model.safetensors", "whole");
  BOOST_TEST(first_name() == "whole");
}

BOOST_AUTO_TEST_CASE(a_split_directory_is_checked) {
  const scratch_directory dir;
  std::filesystem::create_directory(dir / "pytorch_model.bin");
  const auto opening = [&](const std::string &list) {
    dir.write("pytorch_model.bin/key_to_filename.json", list);
    return open_error(dir.path());
  };
  BOOST_TEST(contains(open_error(dir.path()), "key_to_filename.json: cannot"));
  BOOST_TEST(contains(opening(R"({"t":"../p0"})"), "not the name of a file"));
  BOOST_TEST(contains(opening(R"({"t":"a","t":"b"})"), "given twice"));
  BOOST_TEST(contains(opening(R"({"t":1})"), "expected a string"));
  BOOST_TEST(contains(opening("{}"), "names no tensors"));
  BOOST_TEST(contains(opening("[]"), "corrupt_data"));
  BOOST_TEST(opening(R"({"t":"p0"})").starts_with("not_found"));
  dir.write("pytorch_model.bin/p0",
            torch_bytes(dict_of(text_of("t") + tensor_of({{6}, {1}}))));
  BOOST_TEST(contains(opening(R"({"t":"p0"})"), "t: expected one tensor"));
}

BOOST_AUTO_TEST_CASE(a_weights_file_that_is_a_directory) {
  const scratch_directory dir;
  std::filesystem::create_directory(dir / "model.safetensors");
  BOOST_TEST(contains(open_error(dir.path()), "is a directory"));
}

BOOST_AUTO_TEST_CASE(an_index_cannot_leave_its_directory) {
  const scratch_directory dir;
  write_byte_tensor(dir / "outside.safetensors", "t");
  std::filesystem::create_directory(dir / "model");
  for (const char *name :
       {"../outside.safetensors", "..", ".", "", "a/../../outside.safetensors",
        "/etc/passwd", "..\\\\outside", "a\\u0000b"}) {
    dir.write("model/model.safetensors.index.json", index_text(name));
    const auto text = open_error(dir / "model");
    BOOST_TEST(text.starts_with("corrupt_data"), text);
    BOOST_TEST(contains(text, "not the name of a file"), text);
  }
}

BOOST_AUTO_TEST_CASE(an_index_must_agree_with_its_shards) {
  const scratch_directory dir;
  const auto opening = [&](const std::string &index) {
    dir.write("model.safetensors.index.json", index);
    return open_error(dir.path());
  };
  BOOST_TEST(contains(opening(index_text("s.safetensors")),
                      "shard 's.safetensors' named by"));
  write_byte_tensor(dir / "s.safetensors", "other");
  BOOST_TEST(contains(opening(index_text("s.safetensors")), "places in it: t"));
  BOOST_TEST(contains(opening(R"({"weight_map":{"":"s.safetensors"}})"),
                      "does not contain what"));
  write_byte_tensor(dir / "s.safetensors", "t");
  BOOST_TEST(opening(index_text("s.safetensors")) == "no error");
  BOOST_TEST(
      contains(opening(R"({"weight_map":{"t":"a","t":"b"}})"), "given twice"));
  BOOST_TEST(contains(opening(R"({"weight_map":{"t":1}})"),
                      "weight_map.t: expected a string"));
  BOOST_TEST(contains(opening(R"({"weight_map":{}})"), "names no tensors"));
  BOOST_TEST(contains(opening(R"({})"), "weight_map: required but missing"));
  BOOST_TEST(contains(opening("{"), "not valid JSON"));
}

BOOST_AUTO_TEST_CASE(all_differences_in_one_error) {
  const auto weights = runtime::checkpoint::open(fixture("models/llama"));
  std::vector<expected_tensor> expected;
  for (const auto &name : weights->names())
    expected.push_back({name, weights->at(name).dims});
  check_tensors(*weights, expected);

  expected.erase(expected.begin()); // lm_head.weight
  expected.back().dims = {65};      // model.norm.weight
  expected.push_back({"x", {1}});
  expected.push_back({"y", {1}});
  const auto text = error_text([&] { check_tensors(*weights, expected); });
  BOOST_TEST(text.starts_with("corrupt_data"));
  BOOST_TEST(contains(text, "missing (2): x, y"));
  BOOST_TEST(contains(text, "mis-shaped (1): model.norm.weight "
                            "(model.safetensors) is [64], expected [65]"));
  BOOST_TEST(contains(text, "unexpected (1): lm_head.weight "));
  const auto ignoring = error_text([&] {
    check_tensors(*weights, expected,
                  [](std::string_view n) { return n == "lm_head.weight"; });
  });
  BOOST_TEST(!contains(ignoring, "unexpected"));
}

BOOST_AUTO_TEST_SUITE_END()
