// Names as checkpoints of the hub have them: without the model's prefix, with
// saved buffers that are no weights, with a tied head stored all the same.
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/models/family.hpp"
#include "runtime/models/model_source.hpp"
#include "tests/runtime/copied_model.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// A golden and buffers that its family's checkpoints may hold.
struct subject {
  const char *golden;
  std::vector<std::string> buffers;
};
std::ostream &operator<<(std::ostream &out, const subject &s) {
  return out << s.golden;
}

const std::vector<subject> subjects = {
    {"llama", {"model.layers.0.self_attn.rotary_emb.inv_freq"}},
    {"mistral", {"model.layers.1.self_attn.rotary_emb.inv_freq"}},
    {"mixtral", {"model.layers.0.self_attn.rotary_emb.inv_freq"}},
    {"qwen2", {"model.layers.0.self_attn.rotary_emb.inv_freq"}},
    {"qwen3", {}},
    {"gpt2", {"h.0.attn.bias", "transformer.h.1.attn.masked_bias"}},
    {"gptj", {"transformer.h.0.attn.bias", "h.0.attn.masked_bias"}},
    {"gpt_neox",
     {"gpt_neox.layers.0.attention.bias", "layers.1.attention.masked_bias",
      "gpt_neox.layers.0.attention.rotary_emb.inv_freq"}},
    {"gpt_bigcode", {"transformer.h.0.attn.bias"}},
    {"opt", {}},
    {"bloom", {}},
};

/// The golden with its tensors as `change` leaves them.
template <class Change>
void rewrite(copied_model &model, Change change) {
  const auto file =
      runtime::safetensors_file::open(model / "model.safetensors");
  auto tensors = file.tensors();
  change(tensors);
  std::filesystem::remove(model / "model.safetensors");
  runtime::write_safetensors(model / "model.safetensors", tensors);
}

void check_same_weights(const std::string &a, const std::string &b) {
  const auto left = runtime::model_source::open(a);
  const auto right = runtime::model_source::open(b);
  for (const auto &w : hlo::decoder_weights(left->spec()))
    BOOST_TEST(std::ranges::equal(left->locate(w).tensor.bytes,
                                  right->locate(w).tensor.bytes),
               w.name);
}

std::string prefix_of(const copied_model &model) {
  const auto config = json::document::load(model / "config.json");
  return runtime::family_of(config.root()).base_prefix;
}

} // namespace

BOOST_AUTO_TEST_SUITE(hub_names)

BOOST_DATA_TEST_CASE(the_prefix_may_be_missing,
                     boost::unit_test::data::make(subjects), s) {
  copied_model model(s.golden);
  const auto prefix = prefix_of(model);
  std::size_t cut = 0;
  rewrite(model, [&](auto &tensors) {
    for (auto &tensor : tensors)
      if (tensor.name.starts_with(prefix)) {
        tensor.name.erase(0, prefix.size());
        ++cut;
      }
  });
  BOOST_TEST(cut > 10u);
  check_same_weights(fixture(std::string("models/") + s.golden), model.path());
}

BOOST_DATA_TEST_CASE(buffers_are_ignored_and_nothing_else,
                     boost::unit_test::data::make(subjects), s) {
  const std::vector<std::byte> zeros(64);
  const auto add = [&](auto &tensors, const std::string &name) {
    tensors.push_back({name, runtime::tensor_dtype::u8, {64}, zeros});
  };
  copied_model model(s.golden);
  rewrite(model, [&](auto &tensors) {
    for (const auto &name : s.buffers)
      add(tensors, name);
  });
  check_same_weights(fixture(std::string("models/") + s.golden), model.path());

  copied_model other(s.golden);
  rewrite(other, [&](auto &tensors) { add(tensors, "attn.buffer"); });
  BOOST_TEST(
      contains(error_text([&] { runtime::model_source::open(other.path()); }),
               "unexpected (1): attn.buffer (model.safetensors)"));
}

BOOST_AUTO_TEST_CASE(a_tied_head_may_be_stored) {
  for (const char *golden : {"gpt2", "gpt_bigcode", "opt", "bloom"}) {
    copied_model model(golden);
    rewrite(model, [](auto &tensors) {
      const auto head = std::ranges::find(tensors, "lm_head.weight",
                                          &runtime::tensor_view::name);
      if (head != tensors.end()) {
        tensors.erase(head);
        return;
      }
      auto copy = *std::ranges::find_if(tensors, [](const auto &t) {
        return t.dims.size() == 2 && t.dims[0] == 320;
      });
      copy.name = "lm_head.weight";
      tensors.push_back(copy);
    });
    check_same_weights(fixture(std::string("models/") + golden), model.path());
  }
}

BOOST_AUTO_TEST_SUITE_END()
