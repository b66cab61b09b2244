#include "actors/auto_model.hpp"

#include "actors/row_runner.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/generation/attention_mask.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "runtime/shard/saved_model.hpp"
#include "runtime/sharding/presharded.hpp"

namespace ganglion {

namespace {

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, {}, field);
}

/// Where each row starts, from `start_ids`.
std::vector<runtime::row_extent>
extents_from(const std::vector<std::int64_t> &start_ids, std::size_t rows,
             std::int64_t columns) {
  std::vector out(rows, runtime::row_extent{0, columns});
  if (start_ids.empty())
    return out;
  if (start_ids.size() != rows)
    refuse("start_ids", "has " + std::to_string(start_ids.size()) +
                            " values for " + std::to_string(rows) + " rows");
  for (std::size_t i = 0; i < rows; ++i) {
    out[i].begin = start_ids[i];
    if (start_ids[i] < 0 || start_ids[i] >= columns)
      refuse("start_ids", std::to_string(start_ids[i]) + " of row " +
                              std::to_string(i) +
                              " is out of range; accepted: 0 to " +
                              std::to_string(columns - 1));
  }
  return out;
}

std::vector<std::int32_t> tokens_of(const std::vector<std::int32_t> &row,
                                    const runtime::row_extent &extent) {
  return {row.begin() + extent.begin, row.begin() + extent.end};
}

generation_request request_of(const sample_options &options,
                              const std::vector<std::int32_t> &eos) {
  generation_request r;
  r.sampling.do_sample = true;
  r.sampling.top_k = options.top_k.value_or(0);
  r.sampling.top_p = options.top_p;
  r.sampling.temperature = options.temperature;
  r.ignore_eos = true; // the row's own list ends it
  r.stop_token_ids = eos;
  if (options.top_k && *options.top_k < 1)
    refuse("top_k", std::to_string(*options.top_k) +
                        " is out of range; accepted: 1 or more, or nothing");
  return r;
}

} // namespace

class auto_model::implementation {
public:
  implementation(const std::string &directory, const model_options &wanted)
      : options(wanted),
        config(actors::config_of(directory, wanted)),
        source(runtime::open_model(config.model)),
        generation(runtime::read_generation_config(directory)),
        n_positions(runtime::plan_model(source->spec(), config).n_positions) {}

  actors::row_runner &running() {
    if (!rows)
      throw error(error_code::unavailable,
                  "the model is not on the device; call to_neuron() first",
                  source->directory());
    return *rows;
  }

  model_options options;
  engine_config config;
  std::shared_ptr<const runtime::model_source> source;
  generation_config generation;
  std::int64_t n_positions;
  std::unique_ptr<engine> device;
  std::unique_ptr<actors::row_runner> rows; ///< null before `to_neuron`
};

auto_model::auto_model(std::shared_ptr<implementation> self)
    : self_(std::move(self)) {}

auto_model auto_model::from_pretrained(const std::string &directory,
                                       const model_options &options) {
  return auto_model(std::make_shared<implementation>(directory, options));
}

void auto_model::to_neuron(load_observer observer) {
  if (self_->rows)
    return;
  auto device = std::make_unique<engine>(self_->config, std::move(observer));
  device->wait_until_ready();
  self_->device = std::move(device);
  self_->rows = std::make_unique<actors::row_runner>(*self_->device);
}

token_rows auto_model::sample(const token_rows &input_ids,
                              std::int64_t sequence_length,
                              const sample_options &options) const {
  const std::int64_t columns = runtime::columns_of(input_ids);
  const auto extents =
      extents_from(options.start_ids, input_ids.size(), columns);
  if (sequence_length <= columns)
    refuse("sequence_length", std::to_string(sequence_length) +
                                  " leaves no room after the " +
                                  std::to_string(columns) + " tokens given");
  const auto &eos =
      options.eos_token_override.value_or(self_->generation.eos_token_id);
  std::vector<generation_request> requests;
  for (std::size_t i = 0; i < input_ids.size(); ++i) {
    auto r = request_of(options, eos);
    r.prompt_ids = tokens_of(input_ids[i], extents[i]);
    r.max_new_tokens = sequence_length - columns;
    actors::check_room(r, i, n_positions(), "sequence_length");
    if (options.seed)
      r.seed = *options.seed + i;
    requests.push_back(std::move(r));
  }
  return actors::joined(input_ids, run(std::move(requests), options.streamer),
                        1, eos.empty() ? 0 : eos[0]);
}

forward_output auto_model::forward(const token_rows &input_ids,
                                   const token_rows &attention_mask,
                                   const forward_options &options) const {
  const auto extents = runtime::row_extents(input_ids, attention_mask);
  std::vector<generation_request> requests(input_ids.size());
  for (std::size_t i = 0; i < input_ids.size(); ++i) {
    requests[i].prompt_ids = tokens_of(input_ids[i], extents[i]);
    requests[i].prompt_logits = true;
  }
  const auto rows = run(std::move(requests));
  const bool all_positions =
      options.output_all_logits.value_or(self_->config.graph.output_all_logits);
  forward_output out;
  out.positions =
      all_positions ? static_cast<std::int64_t>(input_ids[0].size()) : 1;
  out.vocabulary = self_->source->spec().vocabulary;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto &all = *rows[i].logits;
    std::vector<float> logits(
        static_cast<std::size_t>(out.positions * out.vocabulary));
    if (all_positions)
      std::copy(all.begin(), all.end(),
                logits.begin() + extents[i].begin * out.vocabulary);
    else
      std::copy(all.end() - out.vocabulary, all.end(), logits.begin());
    out.logits.push_back(std::move(logits));
  }
  return out;
}

std::vector<generated_row>
auto_model::run(std::vector<generation_request> rows,
                const token_streamer &streamer) const {
  auto &runner = self_->running();
  actors::check_batch(rows.size(), 1, options().batch_size.most());
  return runner.run(std::move(rows), streamer);
}

void auto_model::save_pretrained_split(const std::string &directory) const {
  runtime::save_pretrained_split(this->directory(), directory);
}

void auto_model::save(const std::string &directory,
                      const save_options &options) const {
  const auto model = running_engine().model();
  if (options.sharded_weights)
    runtime::save_presharded(*model->source, model->plan.sharding, directory);
  runtime::save_artifacts(*model, directory,
                          options.packed_weights
                              ? runtime::saved_parts::programs_and_weights
                              : runtime::saved_parts::programs);
}

void auto_model::load(const std::string &directory) {
  if (self_->rows)
    refuse("load", "the model is on the device; load comes before to_neuron");
  if (!runtime::has_artifacts(directory))
    throw error(error_code::not_found, "no compiled model was saved there",
                directory);
  self_->config.model.compiled_graph_path = directory;
}

void auto_model::reset() { self_->running().cancel_all(); }

const std::string &auto_model::directory() const {
  return self_->source->directory();
}

const model_options &auto_model::options() const { return self_->options; }

const generation_config &auto_model::generation_defaults() const {
  return self_->generation;
}

std::int64_t auto_model::n_positions() const { return self_->n_positions; }

engine &auto_model::running_engine() const {
  self_->running();
  return *self_->device;
}

} // namespace ganglion
