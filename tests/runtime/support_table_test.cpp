// Every family in every checkpoint form, placement and type, against
// HuggingFace's logits; the outcome is the table of docs/support.md, which must
// say the same. GANGLION_WRITE_DOCS=1 writes it.
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/sharding/presharded.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/scratch_directory.hpp"
#include "tests/runtime/shard_group.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// A family, its golden, and one whose weights are in torch's form if any.
struct subject {
  const char *family, *golden, *torch;
};

const std::vector<subject> subjects = {
    {"LLaMA", "llama", nullptr},
    {"Mistral", "mistral", nullptr},
    {"Mixtral", "mixtral", nullptr},
    {"Qwen2", "qwen2", nullptr},
    {"Qwen3", "qwen3", nullptr},
    {"GPT-2", "gpt2", "gpt2-bin-bf16"},
    {"GPT-BigCode", "gpt_bigcode", nullptr},
    {"GPT-J", "gptj", nullptr},
    {"GPT-NeoX", "gpt_neox", nullptr},
    {"OPT", "opt", "opt-bin"},
    {"BLOOM", "bloom", "bloom-bin-sharded"},
};

/// Logits of the golden's third prompt from weights in `directory`.
std::vector<float> logits(const golden &g, const std::string &directory,
                          group_settings s) {
  const auto ids = ids_of(g.expected.root().at("prompts").items()[2].at("ids"));
  shard_group group(directory, s);
  return group.feed(1, 0, ids, static_cast<std::int64_t>(ids.size()));
}

std::vector<float> expected(const golden &g) {
  return g.tensor(
      g.expected.root().at("prompts").items()[2].at("logits").as_string());
}

group_settings in_type(runtime::weight_dtype dtype) {
  group_settings s;
  s.dtype = dtype;
  return s;
}

const char *in_f32(const golden &g, const std::string &directory,
                   group_settings s) {
  s.dtype = runtime::weight_dtype::f32;
  const double most = worst(logits(g, directory, s), expected(g));
  BOOST_TEST(most < g.tolerance(), directory << ": off by " << most);
  return most < g.tolerance() ? "yes" : "no";
}

/// Rounding may change what a router chooses, so what counts is how alike all
/// logits are: the cosine of the angle between them.
const char *rounded(const golden &g, const group_settings &s) {
  const auto got = logits(g, g.directory, s);
  const auto want = expected(g);
  double both = 0, left = 0, right = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    both += double(got[i]) * want[i];
    left += double(got[i]) * got[i];
    right += double(want[i]) * want[i];
  }
  const double alike = both / std::sqrt(left * right);
  BOOST_TEST(alike > 0.99, g.directory << ": alike " << alike);
  return alike > 0.99 ? "yes" : "no";
}

const char *saved_split(const golden &g) {
  const scratch_directory to;
  runtime::save_pretrained_split(g.directory, to.path() + "/split");
  return in_f32(g, to.path() + "/split", {});
}

const char *saved_presharded(const golden &g) {
  const scratch_directory to;
  const auto source = runtime::model_source::open(g.directory);
  group_settings s;
  s.tp_degree = 2;
  runtime::save_presharded(*source, hlo::plain_sharding(source->spec(), 2),
                           to.path());
  return in_f32(g, to.path(), s);
}

/// "no need" where the model's shape makes it another placement.
const char *placed(const golden &g, std::int64_t degree,
                   hlo::group_query strategy, bool over_sequence) {
  group_settings s;
  s.tp_degree = degree;
  s.strategy = strategy;
  s.over_sequence = over_sequence;
  s.pad_heads = true;
  std::vector<std::string> notes;
  const auto resolved = hlo::resolve_sharding(
      runtime::model_source::open(g.directory)->spec(),
      {degree, strategy, over_sequence, true}, s.slots, notes);
  if (!notes.empty() || resolved.shard_over_sequence != over_sequence)
    return "falls back";
  return in_f32(g, g.directory, s);
}

std::string row_of(const subject &s) {
  using enum hlo::group_query;
  const golden g(s.golden);
  std::ostringstream out;
  out << "| " << s.family;
  const auto cell = [&](const char *text) { out << " | " << text; };
  cell(in_f32(g, g.directory, {}));
  cell(s.torch ? in_f32(golden(s.torch), golden(s.torch).directory, {}) : "-");
  cell(saved_split(g));
  cell(saved_presharded(g));
  cell(placed(g, 2, shard_over_heads, false));
  cell(placed(g, 4, replicated_heads, false));
  cell(placed(g, 2, shard_over_batch, false));
  cell(placed(g, 4, all_gather_heads, false));
  cell(placed(g, 4, automatic, true));
  cell(placed(g, 3, automatic, false));
  cell(rounded(g, in_type(runtime::weight_dtype::bf16)));
  cell(rounded(g, in_type(runtime::weight_dtype::f16)));
  group_settings int8 = in_type(runtime::weight_dtype::f32);
  int8.quantize = hlo::quantisation::static_int8;
  cell(rounded(g, int8));
  int8 = in_type(runtime::weight_dtype::f32);
  int8.kv_cache_quant = hlo::cache_quantisation::s8;
  cell(rounded(g, int8));
  out << " |\n";
  return out.str();
}

std::string page() {
  std::string out =
      "# What runs\n\n"
      "Made by `test_runtime --run_test=support_table`, which tests every "
      "cell against HuggingFace's logits.\n"
      "`falls back`: the model's shape does not permit it, and another "
      "placement is used and told; `-`: no such checkpoint among the "
      "fixtures.\nHalf types and int8 count as running where the cosine "
      "between all "
      "logits and HuggingFace's in f32 exceeds 0.99.\n\n"
      "| family | safetensors | torch .bin | split | presharded | "
      "shard-over-heads, 2 ranks | replicated-heads, 4 | shard-over-batch, 2 "
      "| all-gather-heads, 4 | shard over sequence, 4 | padded heads, 3 | "
      "bf16 | f16 | int8 weights | int8 KV cache |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const subject &s : subjects)
    out += row_of(s);
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(support_table)

BOOST_AUTO_TEST_CASE(the_page_says_what_runs) {
  const std::string path =
      std::string(GANGLION_SOURCE_DIR) + "/docs/support.md";
  const std::string now = page();
  if (std::getenv("GANGLION_WRITE_DOCS"))
    std::ofstream(path) << now;
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  BOOST_TEST(kept.str() == now);
}

BOOST_AUTO_TEST_SUITE_END()
