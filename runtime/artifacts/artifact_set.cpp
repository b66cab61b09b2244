#include "runtime/artifacts/artifact_set.hpp"

#include "hlo/proto/serialise.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"

namespace ganglion::runtime {

namespace {

digest program_key(const hlo::module &graph,
                   const neuron::compile_options &options) {
  return digest_builder()
      .add(hlo::serialise(graph))
      .add(neuron::to_string(options))
      .add(neuron::compiler_version())
      .finish();
}

std::string_view text_of(const mapped_file &file) {
  return {reinterpret_cast<const char *>(file.bytes().data()),
          file.bytes().size()};
}

/// Whether a program for `a` can be run in the place of one for `b`.
bool same_interface(const hlo::module &a, const hlo::module &b) {
  const auto pa = a.entry()->parameters(), pb = b.entry()->parameters();
  if (pa.size() != pb.size() || a.aliases != b.aliases ||
      a.num_partitions != b.num_partitions ||
      a.entry()->root()->form != b.entry()->root()->form)
    return false;
  for (std::size_t i = 0; i < pa.size(); ++i)
    if (pa[i]->form != pb[i]->form ||
        pa[i]->attrs.frontend != pb[i]->attrs.frontend)
      return false;
  return true;
}

/// The parsed text of a stored program; throws `corrupt_data` when it cannot
/// be one for `graph`.
std::shared_ptr<hlo::module> module_from(const found_artifact &found,
                                         const std::string &where,
                                         const hlo::module &graph) {
  std::shared_ptr<hlo::module> m = hlo::parse(text_of(found.bytes), where);
  if (!same_interface(*m, graph))
    throw error(error_code::corrupt_data,
                "takes or returns other arrays than the graph it is for",
                where);
  return m;
}

void add_common(std::vector<manifest_field> &about) {
  about.push_back(
      {"compiler_version", std::string(neuron::compiler_version())});
}

} // namespace

const artifact_store *artifact_set::first(artifact_store::policy how) const {
  for (const auto &store : stores_)
    if (store.how() == how)
      return &store;
  return nullptr;
}

std::shared_ptr<const neuron::program>
artifact_set::stored_program(const artifact_store &store, const digest &key,
                             const hlo::module &graph,
                             const neuron::compile_options &options) const {
  const auto found = store.find("program", key);
  if (!found)
    return nullptr;
  const std::string where = store.directory() + "/" + found->about.file;
  try {
    return neuron::lower(module_from(*found, where, graph), options);
  } catch (const error &e) {
    if (store.how() == artifact_store::policy::fixed)
      throw error(error_code::corrupt_data, e.what(), where, e.field());
    log::warn("{}: {}; compiled again", where, e.what());
    return nullptr;
  }
}

artifact_set::program
artifact_set::program_of(const hlo::module &graph,
                         const neuron::compile_options &options,
                         std::vector<manifest_field> about) const {
  if (stores_.empty())
    return {neuron::compile(graph, options), true};
  const digest key = program_key(graph, options);
  for (const auto &store : stores_) {
    if (auto code = stored_program(store, key, graph, options))
      return {std::move(code), false};
    if (store.how() == artifact_store::policy::fixed)
      throw error(error_code::invalid_argument,
                  "has no program for the graph " + key.text() +
                      ", which this start needs: saved from another model or "
                      "with other options",
                  store.directory(), "graph");
  }
  const std::shared_ptr<hlo::module> m = neuron::optimise(graph, options);
  add_common(about);
  about.push_back({"compile_options", neuron::to_string(options)});
  const auto text = hlo::print(*m);
  first(artifact_store::policy::cache)
      ->keep({"program", std::move(about), "", 0, ""}, key,
             std::as_bytes(std::span(text)));
  return {neuron::lower(m, options), true};
}

bool artifact_set::has_program(const hlo::module &graph,
                               const neuron::compile_options &options) const {
  const digest key = program_key(graph, options);
  for (const auto &store : stores_)
    if (store.contains("program", key))
      return true;
  return false;
}

std::optional<digest> artifact_set::weights_key(const digest &layout) const {
  if (!content_)
    return std::nullopt;
  return digest_builder()
      .add(*content_)
      .add(layout)
      .add(neuron::compiler_version())
      .finish();
}

std::optional<mapped_file> artifact_set::weights(const digest &layout,
                                                 std::size_t bytes) const {
  const auto key = weights_key(layout);
  if (!key)
    return std::nullopt;
  for (const auto &store : stores_) {
    auto found = store.find("weights", *key);
    if (found && found->bytes.bytes().size() == bytes)
      return std::move(found->bytes);
  }
  return std::nullopt;
}

bool artifact_set::has_weights(const digest &layout) const {
  const auto key = weights_key(layout);
  if (key)
    for (const auto &store : stores_)
      if (store.contains("weights", *key))
        return true;
  return false;
}

void artifact_set::keep_weights(const digest &layout,
                                std::vector<manifest_field> about,
                                std::span<const std::byte> bytes) const {
  const auto key = weights_key(layout);
  const auto *cache = first(artifact_store::policy::cache);
  if (!key || !cache)
    return;
  add_common(about);
  about.push_back({"content", content_->text()});
  about.push_back({"layout", layout.text()});
  cache->keep({"weights", std::move(about), "", 0, ""}, *key, bytes);
}

} // namespace ganglion::runtime
