#include "runtime/shard/loaded_model.hpp"

#include "hlo/support/clock.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/shard/draft_model.hpp"
#include "runtime/shard/saved_model.hpp"

namespace ganglion::runtime {

namespace {

std::shared_ptr<const tokenizer> tokenizer_of(const std::string &directory) {
  try {
    return tokenizer::load(directory);
  } catch (const error &e) {
    if (e.code() != error_code::not_found)
      throw;
    log::warn("{}: no tokenizer; only token ids can be served", directory);
    return nullptr;
  }
}

} // namespace

rope_overrides overrides_of(const model_config &config) {
  return {config.rope_theta, config.rope_scaling};
}

hlo::decoder_spec described_model(const model_config &config) {
  return described_model(config.model_id, overrides_of(config));
}

std::shared_ptr<const model_source> open_model(const model_config &config) {
  return model_source::open(config.model_id, overrides_of(config),
                            config.load_split_model ? checkpoint_form::split
                                                    : checkpoint_form::any);
}

namespace {

shared_model load_shared(const engine_config &config) {
  shared_model out;
  out.source = open_model(config.model);
  const hlo::decoder_spec &spec = out.source->spec();
  out.plan = plan_model(spec, config);
  out.loading = {std::make_shared<const artifact_set>(
                     open_artifacts(config, *out.source, out.plan)),
                 config.model.low_cpu_mem_usage};
  const steady_clock time;
  const auto begin = time.now();
  out.steps = compiled_steps::compile(spec, out.plan, neuron::selected_isa(),
                                      out.loading.artifacts.get());
  const std::chrono::duration<double> took = time.now() - begin;
  log::info("{} programs, {} compiled, the others found: {:.3f} s at "
            "neuron_optimize_level {}",
            out.steps->programs(), out.steps->compilations(), took.count(),
            static_cast<int>(out.plan.optimize_level));
  out.tables =
      shared_tables::load(out.source, *out.steps,
                          hlo::placement(spec, out.plan.sharding), out.loading);
  return out;
}

shared_model load_draft(const engine_config &config,
                        const shared_model &large) {
  auto draft = load_shared(draft_config(config, large));
  check_same_blocks(large.plan, draft.plan);
  log::info("draft model: {} {} with tp_degree {}, up to {} tokens a step",
            draft.source->spec().family, to_string(draft.plan.type),
            draft.plan.tp_degree(), config.speculation.length);
  return draft;
}

} // namespace

std::shared_ptr<const loaded_model> load_model(const engine_config &config) {
  auto out = std::make_shared<loaded_model>();
  static_cast<shared_model &>(*out) = load_shared(config);
  if (out->plan.blocks < out->plan.full_blocks())
    log::info("KV pool: {} blocks of {} positions, a full batch would take {}",
              out->plan.blocks, out->plan.plan_block, out->plan.full_blocks());
  if (config.speculation.has_model())
    out->draft = load_draft(config, *out);
  out->tokens = tokenizer_of(config.model.model_id);
  out->chat = std::make_shared<const model_chat>(
      model_chat::read(config.model.model_id, config.model.chat_template));
  if (!out->chat->available())
    log::info("no chat: {}", out->chat->refusal());
  auto eos = out->source->eos_ids();
  if (out->tokens)
    for (const auto id : out->tokens->eos_token_ids())
      eos.insert(id);
  out->eos_ids = std::make_shared<const std::set<std::int32_t>>(eos);
  return out;
}

} // namespace ganglion::runtime
