#include "runtime/shard/saved_model.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/artifacts/content_digest.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/shard/artifact_settings.hpp"
#include "runtime/shard/loaded_model.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

constexpr const char *manifest_name = "/manifest.json";
using policy = artifact_store::policy;

std::string saved_directory(const engine_config &config) {
  const auto &named = config.model.compiled_graph_path;
  if (named == "none")
    return {};
  if (!named.empty())
    return named;
  const auto own = config.model.model_id + "/compiled";
  return has_artifacts(own) ? own : std::string();
}

artifact_store open_saved(const std::string &directory,
                          const model_source &model, const model_plan &plan) {
  const auto about = load_manifest(directory + manifest_name);
  if (about.kind != "model")
    throw error(error_code::corrupt_data,
                "is of kind '" + about.kind + "', expected 'model'",
                directory + manifest_name, "kind");
  check_settings(about,
                 artifact_settings(model.spec(), plan, neuron::selected_isa()),
                 directory);
  return {directory, policy::fixed};
}

/// Programs fit every checkpoint of the shape; packed weights only theirs.
void tell_other_content(const artifact_store &saved, const digest &content) {
  const auto about = load_manifest(saved.directory() + manifest_name);
  const auto *found = about.find("content");
  if (found && *found != content.text())
    log::warn("{}: saved with the weights {}, this checkpoint is {}: only the "
              "programs are used",
              saved.directory(), *found, content.text());
}

bool uses_cache(const model_config &config, const model_source &model) {
  return !config.artifact_cache.empty() &&
         model.weights().total_bytes() >= config.artifact_cache_least;
}

/// Where digests are remembered: in the cache, or else beside what was saved.
digest content_of(const std::vector<artifact_store> &stores,
                  const model_source &model) {
  return content_digest(model.weights(), stores.back().memo());
}

void save_programs(const loaded_model &model, const std::string &directory) {
  const artifact_set into({{directory, policy::cache}}, std::nullopt);
  // Written as into a cache: what is there already is kept if it is sound.
  compiled_steps::compile(model.source->spec(), model.plan,
                          neuron::selected_isa(), &into);
}

void save_weights(const loaded_model &model, const std::string &directory,
                  const digest &content) {
  const auto into = std::make_shared<const artifact_set>(
      std::vector<artifact_store>{{directory, policy::cache}}, content);
  const hlo::placement placed(model.source->spec(), model.plan.sharding);
  const weight_loading how{into, true};
  shared_tables::load(model.source, *model.steps, placed, how);
  for (std::int64_t rank = 0; rank < placed.tp_degree(); ++rank)
    rank_weights::load(*model.source, *model.steps, placed, rank, model.tables,
                       {}, how);
}

/// A full disk does not go unnoticed, other than in a cache.
void check_complete(const loaded_model &model, const std::string &directory,
                    saved_parts parts, const digest &content) {
  const artifact_set saved({{directory, policy::cache}}, content);
  bool complete =
      missing_programs(model.source->spec(), model.plan, saved) == 0;
  if (parts == saved_parts::programs_and_weights)
    complete = complete && missing_weights(*model.source, *model.steps,
                                           hlo::placement(model.source->spec(),
                                                          model.plan.sharding),
                                           saved) == 0;
  if (!complete)
    throw error(error_code::unavailable,
                "not everything could be written; the log says why", directory);
}

} // namespace

void save_artifacts(const loaded_model &model, const std::string &directory,
                    saved_parts parts) {
  make_directories(directory);
  const digest_memo memo(directory);
  const digest content = content_digest(model.source->weights(), memo);
  save_programs(model, directory);
  if (parts == saved_parts::programs_and_weights)
    save_weights(model, directory, content);
  check_complete(model, directory, parts, content);
  auto settings = artifact_settings(model.source->spec(), model.plan,
                                    neuron::selected_isa());
  settings.push_back({"content", content.text()});
  write_atomically(directory + manifest_name,
                   write_manifest({"model", std::move(settings), "", 0, ""}));
}

bool has_artifacts(const std::string &directory) {
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::exists(directory + manifest_name, ignored);
}

artifact_set open_artifacts(const engine_config &config,
                            const model_source &model, const model_plan &plan,
                            saved_parts parts) {
  std::vector<artifact_store> stores;
  if (const auto saved = saved_directory(config); !saved.empty())
    stores.push_back(open_saved(saved, model, plan));
  if (uses_cache(config.model, model))
    stores.push_back({config.model.artifact_cache, policy::cache,
                      config.model.artifact_cache_limit});
  if (stores.empty())
    return {};
  if (parts == saved_parts::programs)
    return {std::move(stores), std::nullopt};
  const digest content = content_of(stores, model);
  if (stores.front().how() == policy::fixed)
    tell_other_content(stores.front(), content);
  return {std::move(stores), content};
}

} // namespace ganglion::runtime
