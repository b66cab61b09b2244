// Every family in every checkpoint form, placement and type, against
// HuggingFace's logits; the outcome is the table of docs/support.md, which must
// say the same. GANGLION_WRITE_DOCS=1 writes it.
#include "hlo/support/error.hpp"
#include "tests/golden.hpp"
#include "tests/runtime/checkpoint_forms.hpp"
#include "tests/runtime/scratch_directory.hpp"
#include "tests/runtime/shard_group.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <map>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

struct family_row {
  const char *name, *golden;
};

constexpr family_row families[] = {
    {"LLaMA", "llama"},     {"Mistral", "mistral"},
    {"Mixtral", "mixtral"}, {"Qwen2", "qwen2"},
    {"Qwen3", "qwen3"},     {"GPT-2", "gpt2"},
    {"GPT-J", "gptj"},      {"GPT-NeoX", "gpt_neox"},
    {"OPT", "opt"},         {"GPT-BigCode", "gpt_bigcode"},
    {"BLOOM", "bloom"},
};

struct form_row {
  const char *name;
  stored_form form;
};

constexpr form_row forms[] = {
    {"safetensors", stored_form::safetensors},
    {"safetensors, sharded", stored_form::safetensors_shards},
    {"torch .bin", stored_form::torch},
    {"torch .bin, sharded", stored_form::torch_shards},
    {"split", stored_form::split},
    {"presharded", stored_form::presharded},
};

struct placement_column {
  const char *name;
  std::int64_t degree;
  hlo::group_query strategy;
  bool over_sequence = false;
};

constexpr placement_column placements[] = {
    {"1 rank", 1, hlo::group_query::automatic},
    {"shard-over-heads, 2 ranks", 2, hlo::group_query::shard_over_heads},
    {"replicated-heads, 4", 4, hlo::group_query::replicated_heads},
    {"shard-over-batch, 2", 2, hlo::group_query::shard_over_batch},
    {"all-gather-heads, 4", 4, hlo::group_query::all_gather_heads},
    {"shard over sequence, 4", 4, hlo::group_query::automatic, true},
    {"padded heads, 3", 3, hlo::group_query::automatic},
};

struct type_entry {
  const char *name;
  runtime::weight_dtype dtype;
  hlo::quantisation weights = hlo::quantisation::none;
  hlo::cache_quantisation cache = hlo::cache_quantisation::none;
};

constexpr type_entry types[] = {
    {"f32", runtime::weight_dtype::f32},
    {"bf16", runtime::weight_dtype::bf16},
    {"f16", runtime::weight_dtype::f16},
    {"int8", runtime::weight_dtype::f32, hlo::quantisation::static_int8},
    {"int8 cache", runtime::weight_dtype::f32, hlo::quantisation::none,
     hlo::cache_quantisation::s8},
};

group_settings settings_of(const placement_column &p, const type_entry &t) {
  group_settings s;
  s.tp_degree = p.degree;
  s.strategy = p.strategy;
  s.over_sequence = p.over_sequence;
  s.pad_heads = true;
  s.dtype = t.dtype;
  s.quantize = t.weights;
  s.kv_cache_quant = t.cache;
  return s;
}

/// The cosine of the angle between all logits: rounding may change what a
/// router chooses, so how alike they are is what counts.
double alike(const std::vector<float> &got, const std::vector<float> &want) {
  double both = 0, left = 0, right = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    both += double(got[i]) * want[i];
    left += double(got[i]) * got[i];
    right += double(want[i]) * want[i];
  }
  return both / std::sqrt(left * right);
}

/// All cells of one family.
class family_cells {
public:
  explicit family_cells(const family_row &family)
      : name_(family.name),
        golden_(family.golden),
        ids_(ids_of(prompt().at("ids"))),
        wanted_(golden_.tensor(prompt().at("logits").as_string())),
        spec_(runtime::model_source::open(golden_.directory)->spec()) {}

  /// One line for each form.
  std::string lines() {
    std::string out;
    for (const auto &form : forms) {
      out += "| " + std::string(name_) + " | " + form.name;
      for (const auto &placement : placements)
        out += " | " + cell(form.form, placement);
      out += " |\n";
    }
    return out;
  }

private:
  json::value prompt() const {
    return golden_.expected.root().at("prompts").items()[2];
  }

  std::string cell(stored_form form, const placement_column &p) {
    std::vector<std::string> notes;
    const auto sharding = hlo::resolve_sharding(
        spec_, {p.degree, p.strategy, p.over_sequence, true},
        group_settings().slots, notes);
    if (!notes.empty() || sharding.shard_over_sequence != p.over_sequence)
      return "falls back";
    const scratch_directory to;
    write_form(form, golden_.directory, to.path(), sharding);
    std::string all, some;
    for (const auto &type : types) {
      const bool runs = runs_right(form, to.path(), p, type);
      (runs ? all : some) += (runs ? all : some).empty()
                                 ? type.name
                                 : ", " + std::string(type.name);
    }
    return some.empty() ? "all" : "all but " + some;
  }

  bool runs_right(stored_form form, const std::string &directory,
                  const placement_column &p, const type_entry &t) {
    const auto settings = settings_of(p, t);
    if (form == stored_form::presharded && !may_quantise(t)) {
      BOOST_CHECK_EXCEPTION(
          shard_group(directory, settings), error,
          [](const error &e) { return e.field() == "quantize"; });
      return false;
    }
    shard_group group(directory, settings);
    const auto got =
        group.feed(1, 0, ids_, static_cast<std::int64_t>(ids_.size()));
    const bool right = t.name == types[0].name
                           ? worst(got, wanted_) < golden_.tolerance()
                           : alike(got, wanted_) > 0.99;
    BOOST_TEST(right,
               name_ << ", " << directory << ", " << p.name << ", " << t.name);
    // Whatever form the weights come from, they are the same.
    const auto &first =
        of_safetensors_.try_emplace({p.name, t.name}, got).first->second;
    BOOST_TEST((got == first), name_ << ", " << directory << ", " << p.name
                                     << ", " << t.name << ": other bits");
    return right && got == first;
  }

  /// Scales are of whole rows, which ranks' parts are not.
  static bool may_quantise(const type_entry &t) {
    return t.weights == hlo::quantisation::none;
  }

  const char *name_;
  golden golden_;
  std::vector<std::int32_t> ids_;
  std::vector<float> wanted_;
  hlo::decoder_spec spec_;
  std::map<std::pair<const char *, const char *>, std::vector<float>>
      of_safetensors_;
};

std::string heading() {
  std::string out =
      "# What runs\n\n"
      "Family, checkpoint form, placement and type: made by `test_runtime "
      "--run_test=support_table`, which tests every\n"
      "cell against HuggingFace's logits (`GANGLION_WRITE_DOCS=1` writes this "
      "page; it fails where the page says otherwise).\n"
      "Types are f32, bf16, f16, int8 (weights, `quantize=static_int8`) and "
      "int8 cache (`kv_cache_quant=s8`). f32 is within\n"
      "the golden's tolerance; the others count as running where the cosine "
      "between all logits and HuggingFace's in f32\n"
      "exceeds 0.99. Every form gives the bits that safetensors gives. `falls "
      "back`: the model's shape does not permit the\n"
      "placement, and another is used and told. int8 weights of presharded "
      "checkpoints are refused by name.\n\n"
      "| family | form |";
  std::string rule = "|---|---|";
  for (const auto &p : placements) {
    out += " " + std::string(p.name) + " |";
    rule += "---|";
  }
  return out + "\n" + rule + "\n";
}

std::string page() {
  std::string out = heading();
  for (const auto &family : families)
    out += family_cells(family).lines();
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(support_table)

BOOST_AUTO_TEST_CASE(the_page_says_what_runs) {
  const std::string path = source_dir() + "/docs/support.md";
  const std::string now = page();
  if (std::getenv("GANGLION_WRITE_DOCS"))
    std::ofstream(path) << now;
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  BOOST_TEST(kept.str() == now);
}

BOOST_AUTO_TEST_SUITE_END()
