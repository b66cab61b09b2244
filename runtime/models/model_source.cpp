#include "runtime/models/model_source.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/presharded_files.hpp"
#include "runtime/checkpoint/sharding_settings.hpp"
#include "runtime/checkpoint/tensor_check.hpp"
#include "runtime/json/narrow.hpp"
#include "runtime/models/described_spec.hpp"

#include <algorithm>
#include <filesystem>

namespace ganglion::runtime {

namespace {

/// "layers.3.attention.query.weight" -> (3, "attention.query.weight").
std::pair<std::int64_t, std::string> split_name(const std::string &name) {
  if (!name.starts_with("layers."))
    return {-1, name};
  const auto dot = name.find('.', 7);
  return {std::stoll(name.substr(7, dot - 7)), name.substr(dot + 1)};
}

/// Dimensions the tensor behind a weight must have.
hlo::dims stored_dims(const hlo::weight_parameter &w, const tensor_origin &o) {
  hlo::dims d = w.whole;
  if (o.fused_outputs > 0)
    d[0] = o.fused_outputs;
  if (o.transposed && d.size() == 2)
    std::swap(d[0], d[1]);
  return d;
}

/// Optimum keeps the weights in a directory of their own.
std::string weights_directory(const std::string &directory,
                              const json::value &config) {
  const auto inside = directory + "/checkpoint";
  return config.find("neuron") && std::filesystem::is_directory(inside)
             ? inside
             : directory;
}

/// What all ranks have whole is there once.
std::string part_name(const hlo::weight_parameter &w, std::int64_t rank) {
  return w.name + "*" + std::to_string(w.placed == hlo::split::none ? 0 : rank);
}

/// config.json with the overrides in it.
json::document config_of(const std::string &directory,
                         const rope_overrides &rope) {
  std::error_code ignored; // what cannot be seen is not there
  if (!std::filesystem::is_directory(directory, ignored))
    throw error(error_code::not_found,
                "no such model directory; give the path of a HuggingFace "
                "checkpoint folder",
                directory, "model_id");
  auto config = json::document::load(directory + "/config.json");
  return rope.any() ? overridden(config, family_of(config.root()), rope)
                    : std::move(config);
}

void add_eos_ids(const json::value &object, std::set<std::int32_t> &to) {
  const auto ids = json::token_ids(object, "eos_token_id");
  to.insert(ids.begin(), ids.end());
}

} // namespace

hlo::decoder_spec described_model(const std::string &directory,
                                  const rope_overrides &rope) {
  return described_spec(config_of(directory, rope).root(), rope);
}

std::shared_ptr<const model_source>
model_source::open(const std::string &directory, const rope_overrides &rope,
                   checkpoint_form form) {
  std::shared_ptr<model_source> m(new model_source);
  m->directory_ = directory;
  const auto config = config_of(directory, rope);
  m->family_ = &family_of(config.root());
  m->spec_ = described_spec(config.root(), rope);
  add_eos_ids(config.root(), m->eos_ids_);
  const std::string generation = directory + "/generation_config.json";
  if (std::filesystem::exists(generation))
    add_eos_ids(json::document::load(generation).root(), m->eos_ids_);
  const bool parts = m->spec_.presharded;
  m->weights_ = checkpoint::open(weights_directory(directory, config.root()),
                                 parts ? checkpoint_form::presharded : form);
  if (parts) {
    m->presharded_ = sharding_from(config.root().at("presharded"));
    m->check_parts();
  } else {
    m->check_weights();
  }
  return m;
}

std::string model_source::stored_name(const std::string &name) const {
  const std::string &prefix = family_->base_prefix;
  if (!weights_->contains(name) && name.starts_with(prefix)) {
    const std::string bare = name.substr(prefix.size());
    if (weights_->contains(bare))
      return bare;
  }
  return name;
}

located_weight model_source::locate(const hlo::weight_parameter &w,
                                    std::int64_t rank) const {
  located_weight out;
  if (!w.values.empty()) {
    out.tensor = {w.name, tensor_dtype::f32, w.whole,
                  std::as_bytes(std::span(w.values))};
    return out;
  }
  if (presharded_) {
    out.tensor = weights_->at(part_name(w, rank));
    return out;
  }
  const auto [layer, part] = split_name(w.name);
  out.origin = family_->origin(spec_, layer, part);
  out.tensor = weights_->at(stored_name(out.origin.name));
  return out;
}

void model_source::check_parts() const {
  std::vector<std::string> notes;
  // As in a start: throws for a degree that the model cannot have.
  const hlo::placement placed(
      spec_, hlo::resolve_sharding(spec_, *presharded_, presharded_->tp_degree,
                                   notes));
  std::vector<expected_tensor> list;
  for (const auto &w : hlo::weights_of_rank(spec_, placed.options())) {
    if (!w.values.empty())
      continue;
    const auto copies =
        w.placed == hlo::split::none ? 1 : presharded_->tp_degree;
    for (std::int64_t rank = 0; rank < copies; ++rank)
      list.push_back(
          {part_name(w, rank), placed_dims(w, placed, spec_.head_dim)});
  }
  check_tensors(*weights_, list);
}

void model_source::check_weights() const {
  std::map<std::string, expected_tensor> expected;
  for (const auto &w : hlo::decoder_weights(spec_)) {
    if (!w.values.empty())
      continue;
    const auto [layer, part] = split_name(w.name);
    const tensor_origin o = family_->origin(spec_, layer, part);
    const std::string name = stored_name(o.name);
    expected[name] = {name, stored_dims(w, o)};
  }
  std::vector<expected_tensor> list;
  for (auto &[name, tensor] : expected)
    list.push_back(std::move(tensor));
  check_tensors(*weights_, list, [&](std::string_view name) {
    // A tied head may be stored all the same.
    if (spec_.tied_head && name == family_->head)
      return true;
    for (const auto &suffix : family_->ignored_suffixes)
      if (name.ends_with(suffix))
        return true;
    return false;
  });
}

} // namespace ganglion::runtime
