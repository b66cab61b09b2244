// Starts that find what earlier starts left, and starts that must not use it.
#include "runtime/checkpoint/synthetic.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/saved_model.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::runtime;
using namespace ganglion::testing;

namespace {

engine_config config_of(const std::string &model, const std::string &cache) {
  engine_config config;
  config.model.model_id = model;
  config.model.artifact_cache = cache;
  config.graph.tensor_parallel_degree = 2;
  config.scheduling.max_rolling_batch_size = 4;
  return config;
}

std::shared_ptr<const rank_weights> weights_of(const loaded_model &m,
                                               std::int64_t rank) {
  const hlo::placement placed(m.source->spec(), m.plan.sharding);
  return rank_weights::load(*m.source, *m.steps, placed, rank, m.tables, {},
                            m.loading);
}

/// What a start found: programs compiled and ranks packed.
struct start_work {
  std::size_t compiled = 0, packed = 0;
  friend bool operator==(const start_work &, const start_work &) = default;
  friend std::ostream &operator<<(std::ostream &out, const start_work &w) {
    return out << w.compiled << " compiled, " << w.packed << " packed";
  }
};

start_work work_of(const engine_config &config) {
  const auto m = load_model(config);
  start_work out{m->steps->compilations(), 0};
  for (std::int64_t rank = 0; rank < m->plan.tp_degree(); ++rank)
    out.packed += !weights_of(*m, rank)->mapped();
  return out;
}

std::string load_error(const engine_config &config) {
  return error_text([&] { load_model(config); });
}

void write_model(const std::string &path, std::uint64_t seed) {
  synthetic_spec spec;
  spec.seed = seed;
  write_synthetic_checkpoint(path, spec);
}

std::vector<std::string> files_in(const std::string &directory,
                                  const std::string &extension) {
  std::vector<std::string> out;
  for (const auto &entry : std::filesystem::directory_iterator(directory))
    if (entry.path().extension() == extension)
      out.push_back(entry.path().string());
  return out;
}

void write_text(const std::string &path, const std::string &text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const start_work nothing{0, 0}, everything{2, 2};

} // namespace

BOOST_AUTO_TEST_SUITE(artifact_start)

BOOST_AUTO_TEST_CASE(a_second_start_compiles_and_packs_nothing) {
  const scratch_directory cache;
  const auto config = config_of(fixture("models/llama"), cache.path());
  BOOST_TEST(work_of(config) == everything);
  BOOST_TEST(work_of(config) == nothing);
}

void check_mapped(const std::string &model, hlo::quantisation quantize) {
  const scratch_directory cache;
  auto config = config_of(fixture("models/" + model), cache.path());
  config.graph.quantize = quantize;
  const auto fresh = load_model(config);
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const auto packed = weights_of(*fresh, rank);
    const auto mapped = weights_of(*fresh, rank);
    BOOST_TEST(!packed->mapped());
    BOOST_REQUIRE(mapped->mapped());
    for (const auto &w : fresh->steps->weights()) {
      const auto bytes = fresh->steps->parameter(w.parameter_number).bytes();
      BOOST_REQUIRE(std::equal(packed->at(w.parameter_number),
                               packed->at(w.parameter_number) + bytes,
                               mapped->at(w.parameter_number)));
    }
  }
}

BOOST_AUTO_TEST_CASE(mapped_weights_are_the_packed_ones) {
  for (const char *name : {"llama", "gpt2", "bloom", "mistral-bf16", "opt"})
    for (const auto quantize :
         {hlo::quantisation::none, hlo::quantisation::static_int8,
          hlo::quantisation::int8_dynamic})
      check_mapped(name, quantize);
}

BOOST_AUTO_TEST_CASE(converted_tables_are_mapped_too) {
  const scratch_directory cache, saved;
  auto config = config_of(fixture("models/mistral-bf16"), cache.path());
  config.model.dtype = weight_dtype::f32;
  const auto first = load_model(config), second = load_model(config);
  BOOST_TEST(first->tables->converted() == 1u);
  BOOST_TEST(second->tables->converted() == 0u);
  std::size_t compared = 0;
  for (const auto &w : first->steps->weights())
    if (const auto *table = first->tables->find(w.parameter_number)) {
      const auto bytes = first->steps->parameter(w.parameter_number).bytes();
      BOOST_TEST(std::equal(table, table + bytes,
                            second->tables->find(w.parameter_number)));
      compared += bytes;
    }
  BOOST_TEST(compared > 0u);

  save_artifacts(*first, saved.path());
  config.model.artifact_cache.clear();
  config.model.compiled_graph_path = saved.path();
  BOOST_TEST(load_model(config)->tables->converted() == 0u);
}

BOOST_AUTO_TEST_CASE(the_cache_keeps_within_its_limit) {
  const scratch_directory cache;
  auto config = config_of(fixture("models/llama"), cache.path());
  work_of(config);
  const auto used = [&] {
    std::uint64_t sum = 0;
    for (const auto &e : std::filesystem::directory_iterator(cache.path()))
      sum += e.file_size();
    return sum;
  };
  // Room for half as much again: another model takes the first one's place.
  config.model.artifact_cache_limit = used() + used() / 2;
  config.model.model_id = fixture("models/mistral-bf16");
  config.model.dtype = weight_dtype::f32;
  BOOST_TEST(work_of(config) == everything);
  BOOST_TEST(used() <= config.model.artifact_cache_limit + 4096);
  BOOST_TEST(work_of(config) == nothing);
}

BOOST_AUTO_TEST_CASE(programs_read_back_are_the_compiled_ones) {
  const scratch_directory cache;
  const auto config = config_of(fixture("models/gpt_neox"), cache.path());
  const auto first = load_model(config), second = load_model(config);
  BOOST_TEST(second->steps->compilations() == 0u);
  for (std::size_t i = 0; i < first->steps->buckets().size(); ++i) {
    const auto &a = *first->steps->buckets()[i].code;
    const auto &b = *second->steps->buckets()[i].code;
    BOOST_TEST(a.print() == b.print());
    BOOST_TEST(a.arena_bytes == b.arena_bytes);
    BOOST_TEST(std::ranges::equal(a.constants.bytes(), b.constants.bytes()));
  }
}

BOOST_AUTO_TEST_CASE(another_checkpoint_of_the_shape_compiles_nothing) {
  const scratch_directory cache, models;
  write_model(models / "a", 1);
  write_model(models / "b", 2);
  BOOST_TEST(work_of(config_of(models / "a", cache.path())) == everything);
  BOOST_TEST(work_of(config_of(models / "b", cache.path())) ==
             (start_work{0, 2}));
  // The content counts, not the path.
  std::filesystem::rename(models / "a", models / "c");
  BOOST_TEST(work_of(config_of(models / "c", cache.path())) == nothing);
  std::filesystem::rename(models / "b", models / "a");
  BOOST_TEST(work_of(config_of(models / "a", cache.path())) == nothing);
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_changed_is_packed_again) {
  const scratch_directory cache, models;
  write_model(models / "a", 1);
  const auto config = config_of(models / "a", cache.path());
  work_of(config);
  write_model(models / "a", 3); // the same path, size and names
  BOOST_TEST(work_of(config) == (start_work{0, 2}));
}

BOOST_AUTO_TEST_CASE(options_that_change_the_packing_pack_again) {
  const scratch_directory cache;
  auto config = config_of(fixture("models/llama"), cache.path());
  work_of(config);
  config.model.dtype = weight_dtype::bf16;
  BOOST_TEST(work_of(config) == everything);
  config.model.dtype = weight_dtype::as_stored;
  config.graph.tensor_parallel_degree = 4;
  BOOST_TEST(work_of(config) == (start_work{2, 4}));
  config.graph.tensor_parallel_degree = 2;
  config.scheduling.max_rolling_batch_size = 5; // another graph, same weights
  BOOST_TEST(work_of(config) == (start_work{2, 0}));
  config.graph.kv_cache_quant = hlo::cache_quantisation::s8;
  BOOST_TEST(work_of(config) == (start_work{2, 0}));
  config.graph.quantize = hlo::quantisation::static_int8;
  BOOST_TEST(work_of(config) == everything);
}

BOOST_AUTO_TEST_CASE(forms_that_keep_the_packing_find_it_again) {
  const scratch_directory cache;
  auto config = config_of(fixture("models/llama"), cache.path());
  work_of(config);
  auto &form = config.graph.form;
  form.weight_tiling = true;
  form.cache_layout = hlo::kv_layout::bsh;
  BOOST_TEST(work_of(config) == (start_work{2, 0}));
  form.unroll = 1; // three programs a bucket
  BOOST_TEST(work_of(config) == (start_work{6, 0}));
  BOOST_TEST(work_of(config) == (start_work{0, 0}));
  form.fuse_qkv = true; // other matrices
  BOOST_TEST(work_of(config) == (start_work{6, 2}));
  form.qkv_tiling = true;
  BOOST_TEST(work_of(config).packed == 0u);
  config.graph.neuron_optimize_level = 3;
  BOOST_TEST(work_of(config).packed == 0u);
  BOOST_TEST(work_of(config) == (start_work{0, 0}));
}

BOOST_AUTO_TEST_CASE(what_is_damaged_is_made_again) {
  const scratch_directory cache;
  const auto config = config_of(fixture("models/llama"), cache.path());
  const auto spoil_and_start = [&](const std::string &extension) {
    work_of(config);
    for (const auto &path : files_in(cache.path(), extension))
      write_text(path, text_of(path).substr(1));
    const auto again = work_of(config);
    BOOST_TEST(work_of(config) == nothing);
    return again;
  };
  BOOST_TEST(spoil_and_start(".hlo") == (start_work{2, 0}));
  BOOST_TEST(spoil_and_start(".weights") == (start_work{0, 2}));
  BOOST_TEST(spoil_and_start(".json") == everything);
}

/// A program with a right manifest that is not the program it should be.
BOOST_AUTO_TEST_CASE(a_program_for_another_graph_is_not_run) {
  const scratch_directory cache, directory;
  const auto config = config_of(fixture("models/llama"), cache.path());
  const auto other = config_of(fixture("models/gpt2"), directory.path());
  work_of(config);
  work_of(other);
  const auto foreign = files_in(directory.path(), ".hlo").front();
  for (const auto &path : files_in(cache.path(), ".hlo")) {
    const auto name = path.substr(0, path.size() - 4) + ".json";
    auto about = load_manifest(name);
    const auto text = text_of(foreign);
    write_text(path, text);
    about.size = text.size();
    about.digest = digest_of(text).text();
    write_text(name, write_manifest(about));
  }
  BOOST_TEST(work_of(config) == (start_work{2, 0}));
}

/// Whatever the text says, a start compiles or runs what it may run.
BOOST_AUTO_TEST_CASE(spoilt_programs_with_right_checksums_do_no_harm) {
  const scratch_directory cache;
  const auto m = load_model(config_of(fixture("models/llama"), ""));
  const auto graph =
      hlo::build_step_graph(m->source->spec(), m->plan.graph(8)).graph;
  const artifact_set set(
      {{cache.path(), runtime::artifact_store::policy::cache}}, std::nullopt);
  BOOST_TEST(set.program_of(*graph, {}, {}).compiled);
  BOOST_TEST(!set.program_of(*graph, {}, {}).compiled);
  const auto path = files_in(cache.path(), ".hlo").front();
  const auto name = path.substr(0, path.size() - 4) + ".json";
  const auto good = text_of(path);
  auto about = load_manifest(name);
  std::uint32_t random = 1;
  std::size_t refused = 0;
  for (int round = 0; round < 200; ++round) {
    auto text = good;
    for (int change = 0; change <= round % 3; ++change) {
      random = random * 1664525 + 1013904223;
      text[random % text.size()] = static_cast<char>(32 + (random >> 24) % 95);
    }
    if (round % 5 == 0)
      text.resize(random % text.size());
    write_text(path, text);
    about.size = text.size();
    about.digest = digest_of(text).text();
    write_text(name, write_manifest(about));
    refused += set.program_of(*graph, {}, {}).compiled;
  }
  BOOST_TEST(refused > 100u);
}

// --- a named directory
// ---------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_saved_model_loads_without_work) {
  const scratch_directory saved;
  auto config = config_of(fixture("models/llama"), "");
  save_artifacts(*load_model(config), saved / "x");
  config.model.compiled_graph_path = saved / "x";
  BOOST_TEST(work_of(config) == nothing);
  BOOST_TEST(has_artifacts(saved / "x"));
  BOOST_TEST(!has_artifacts(saved / "y"));
}

BOOST_AUTO_TEST_CASE(programs_alone_serve_every_checkpoint_of_the_shape) {
  const scratch_directory saved, models;
  write_model(models / "a", 1);
  write_model(models / "b", 2);
  auto config = config_of(models / "a", "");
  save_artifacts(*load_model(config), saved.path());
  config.model.model_id = models / "b";
  config.model.compiled_graph_path = saved.path();
  BOOST_TEST(work_of(config) == (start_work{0, 2}));
}

BOOST_AUTO_TEST_CASE(other_settings_are_refused_by_name) {
  const scratch_directory saved;
  const auto base = config_of(fixture("models/llama"), "");
  save_artifacts(*load_model(base), saved.path(), saved_parts::programs);
  const auto refusal = [&](auto change) {
    auto config = base;
    config.model.compiled_graph_path = saved.path();
    change(config);
    return load_error(config);
  };
  const auto text = [&](const std::string &field, const std::string &made,
                        const std::string &wanted) {
    return "invalid_argument: " + saved.path() + ": " + field + ": is " + made +
           " in the compiled artefacts, " + wanted + " in this start";
  };
  BOOST_TEST(refusal([](auto &) {}) == "no error");
  BOOST_TEST(refusal([](auto &c) { c.graph.tensor_parallel_degree = 4; }) ==
             text("tensor_parallel_degree", "2", "4"));
  BOOST_TEST(refusal([](auto &c) { c.model.dtype = weight_dtype::bf16; }) ==
             text("dtype", "f32", "bf16"));
  BOOST_TEST(refusal([](auto &c) {
               c.graph.quantize = hlo::quantisation::static_int8;
             }) == text("quantize", "none", "static_int8"));
  BOOST_TEST(refusal([](auto &c) {
               c.graph.quantize = hlo::quantisation::int8_dynamic;
             }) == text("quantize", "none", "int8_dynamic"));
  BOOST_TEST(refusal([](auto &c) {
               c.graph.kv_cache_quant = hlo::cache_quantisation::s8;
             }) == text("kv_cache_quant", "none", "s8"));
  BOOST_TEST(refusal([](auto &c) { c.graph.output_all_logits = true; }) ==
             text("output_all_logits", "false", "true"));
  BOOST_TEST(
      contains(refusal([](auto &c) { c.graph.neuron_optimize_level = 3; }),
               "neuron_optimize_level=3"));
  BOOST_TEST(refusal([](auto &c) { c.graph.form.unroll = 1; }) ==
             text("unroll", "0", "1"));
  BOOST_TEST(refusal([](auto &c) { c.graph.form.fuse_qkv = true; }) ==
             text("fuse_qkv", "false", "true"));
  BOOST_TEST(refusal([](auto &c) {
               c.graph.form.cache_layout = hlo::kv_layout::bsh;
             }) == text("cache_layout", "SBH", "BSH"));
  BOOST_TEST(refusal([](auto &c) { c.graph.chunk = 32; }) ==
             text("chunk", "64", "32"));
  BOOST_TEST(refusal([](auto &c) {
               c.scheduling.max_rolling_batch_size = 8;
             }) == text("max_rolling_batch_size", "4", "8"));
  BOOST_TEST(refusal([](auto &c) { c.graph.n_positions = 64; }) ==
             text("n_positions", "128", "64"));
  BOOST_TEST(refusal([](auto &c) { c.graph.kv_blocks = 7; }) ==
             text("kv_blocks", "16", "7"));
  BOOST_TEST(refusal([](auto &c) { c.graph.block_size = 64; }) ==
             text("block_size", "32", "64"));
  BOOST_TEST(refusal([](auto &c) {
               c.model.model_id = fixture("models/gpt2");
             }) == text("family", "llama", "gpt2"));
}

BOOST_AUTO_TEST_CASE(another_compiler_is_refused_naming_both) {
  const scratch_directory saved;
  auto config = config_of(fixture("models/llama"), "");
  save_artifacts(*load_model(config), saved.path(), saved_parts::programs);
  auto about = load_manifest(saved / "manifest.json");
  for (auto &field : about.fields)
    if (field.name == "compiler_version")
      field.value = "0.0.1";
  saved.write("manifest.json", write_manifest(about));
  config.model.compiled_graph_path = saved.path();
  const auto text = load_error(config);
  BOOST_TEST(contains(text, "compiler_version: is 0.0.1 in"));
  BOOST_TEST(
      contains(text, std::string(neuron::compiler_version()) + " in this"));
}

/// Same names for all settings, another graph all the same.
BOOST_AUTO_TEST_CASE(another_graph_is_refused) {
  const scratch_directory saved, models;
  write_model(models / "a", 1);
  auto config = config_of(models / "a", "");
  save_artifacts(*load_model(config), saved.path(), saved_parts::programs);
  auto changed = text_of(models / "a/config.json");
  const auto at = changed.find("\"rms_norm_eps\": ");
  BOOST_REQUIRE(at != changed.npos);
  changed.insert(at + 16, "2");
  write_text(models / "a/config.json", changed);
  config.model.compiled_graph_path = saved.path();
  BOOST_TEST(
      contains(load_error(config), "graph: has no program for the graph"));
}

BOOST_AUTO_TEST_CASE(a_damaged_named_directory_is_refused) {
  const scratch_directory saved;
  auto config = config_of(fixture("models/llama"), "");
  save_artifacts(*load_model(config), saved.path());
  config.model.compiled_graph_path = saved.path();
  for (const auto &path : files_in(saved.path(), ".hlo"))
    write_text(path, text_of(path) + " ");
  BOOST_TEST(contains(load_error(config), "corrupt_data: " + saved.path()));
  saved.write("manifest.json", "{}");
  BOOST_TEST(contains(load_error(config), "corrupt_data: " + saved.path()));
  config.model.compiled_graph_path = saved / "absent";
  BOOST_TEST(contains(load_error(config), "not_found: "));
}

BOOST_AUTO_TEST_CASE(a_model_brings_its_own_unless_told_not_to) {
  const scratch_directory models;
  write_model(models / "a", 1);
  auto config = config_of(models / "a", "");
  save_artifacts(*load_model(config), models / "a/compiled");
  BOOST_TEST(work_of(config) == nothing);
  config.model.compiled_graph_path = "none";
  BOOST_TEST(work_of(config) == everything);
}

BOOST_AUTO_TEST_CASE(small_models_need_no_cache) {
  const scratch_directory cache;
  auto config = config_of(fixture("models/llama"), cache / "c");
  config.model.artifact_cache_least = std::uint64_t{64} << 20;
  BOOST_TEST(work_of(config) == everything);
  BOOST_TEST(!std::filesystem::exists(cache / "c"));
}

BOOST_AUTO_TEST_SUITE_END()
