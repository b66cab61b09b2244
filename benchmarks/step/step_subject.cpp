#include "benchmarks/step/step_subject.hpp"

#include "benchmarks/report/statistics.hpp"
#include "benchmarks/roofline/kernel_case.hpp"
#include "benchmarks/step/engine_run.hpp"

#include <algorithm>

namespace ganglion::benchmarks {

namespace {

int probe_threads(const rank_group &group) {
  return std::min(group.threads(),
                  static_cast<int>(neuron::allowed_cpus().size()));
}

std::size_t probe_bytes(const step_cost &cost) {
  return std::min(static_cast<std::size_t>(cost.weight_bytes()),
                  dram_probe_bytes());
}

} // namespace

step_subject::step_subject(const engine_config &config,
                           const step_settings &settings)
    : settings_(settings),
      group_(runtime::load_model(config), config.graph.threads),
      cost_(group_.model().source->spec(), plan().type, plan().quantize),
      plans_(plan(), group_.model().source->spec().vocabulary),
      kernels_(probes_for(neuron::selected_isa())),
      probe_(kernels_, probe_threads(group_), probe_bytes(cost_)) {
  if (settings_.engine) {
    engine_ = std::make_unique<ganglion::engine>(config);
    engine_->wait_until_ready();
  }
  phases_.push_back({.batch = 0, .work = prompt_work()});
  // The middle of the decoded positions stands for all.
  for (const auto batch : settings_.batches)
    phases_.push_back(
        {.batch = batch,
         .work = cost_.decode(batch, settings_.prompt + settings_.steps / 2)});
  const auto most = std::ranges::max(settings_.batches);
  for (std::int64_t slot = 0; slot < most; ++slot)
    prefill(slot, nullptr);
}

std::string step_subject::type() const {
  std::string out(to_string(plan().type));
  if (plan().quantize.on())
    out += " " + std::string(to_string(plan().quantize.layers)) +
           (plan().quantize.head ? " with head" : "");
  return out;
}

step_work step_subject::prompt_work() const {
  step_work sum;
  for (std::int64_t at = 0; at < settings_.prompt; at += plan().chunk) {
    const auto rows = std::min(plan().chunk, settings_.prompt - at);
    sum += cost_.prefill(at, rows, at + rows == settings_.prompt);
  }
  return sum;
}

double step_subject::peak() const {
  const bool int8 = plan().quantize.on() &&
                    plan().quantize.layers != hlo::quantisation::static_int8;
  return measure_peak(
      peak_of(kernels_, int8 ? hlo::element_type::s8 : plan().type),
      probe_.threads());
}

double step_subject::read_rate(double bytes) const {
  return probe_.measure(static_cast<std::size_t>(bytes));
}

void step_subject::prefill(std::int64_t slot, phase_samples *into) {
  step_time sum;
  double chunks = 0;
  for (std::int64_t at = 0; at < settings_.prompt; at += plan().chunk) {
    const auto rows = std::min(plan().chunk, settings_.prompt - at);
    const auto t = group_.step(
        plans_.prefill(slot, at, rows, at + rows == settings_.prompt));
    sum.whole += t.whole;
    sum.program += t.program;
    sum.collectives += t.collectives;
    sum.allocations += t.allocations;
    ++chunks;
  }
  if (!into)
    return;
  into->whole.push_back(sum.whole);
  into->program.push_back(sum.program);
  into->collective_share.push_back(sum.collectives / sum.program);
  into->allocations.push_back(static_cast<double>(sum.allocations) / chunks);
}

void step_subject::decode(phase_samples &into) {
  std::vector<double> whole, program, collectives, allocated;
  for (std::int64_t i = 0; i < settings_.steps; ++i) {
    const auto t = group_.step(plans_.decode(into.batch, settings_.prompt + i));
    whole.push_back(t.whole);
    program.push_back(t.program);
    collectives.push_back(t.collectives / t.program);
    allocated.push_back(static_cast<double>(t.allocations));
  }
  into.whole.push_back(summarise(std::move(whole)).median);
  into.program.push_back(summarise(std::move(program)).median);
  into.collective_share.push_back(summarise(std::move(collectives)).median);
  into.allocations.push_back(summarise(std::move(allocated)).median);
}

void step_subject::add_rates(phase_samples &into, double program, double peak,
                             double read) const {
  const double operations = into.work.operations / program * 1e9;
  const double bytes = into.work.bytes / program * 1e9;
  into.operation_rate.push_back(operations);
  into.byte_rate.push_back(bytes);
  into.peak_share.push_back(operations / peak);
  into.read_share.push_back(bytes / read);
  into.limit_share.push_back(std::max(operations / peak, bytes / read));
}

void step_subject::through_engine(phase_samples &into) {
  const auto batch = std::max<std::int64_t>(into.batch, 1);
  std::vector<generation_request> requests;
  for (std::int64_t slot = 0; slot < batch; ++slot) {
    generation_request r;
    for (std::int64_t i = 0; i < settings_.prompt; ++i)
      r.prompt_ids.push_back(plans_.prompt_token(slot, i));
    // All decode together for `steps` steps at least: the first ones go on
    // while the prompts of the last ones are fed.
    const auto chunks = (settings_.prompt + plan().chunk - 1) / plan().chunk;
    r.max_new_tokens =
        into.batch == 0 ? 2 : settings_.steps + (batch + 1) * (chunks + 1);
    r.ignore_eos = true;
    requests.push_back(std::move(r));
  }
  const auto sample = run_together(*engine_, requests);
  into.sink.push_back(into.batch == 0 ? sample.first_token : sample.step);
}

void step_subject::repeat() {
  for (phase_samples &phase : phases_) {
    const double peak_before = peak();
    const double read_before = read_rate(phase.work.bytes);
    if (phase.batch == 0)
      prefill(0, &phase);
    else
      decode(phase);
    add_rates(phase, phase.program.back(), (peak_before + peak()) / 2,
              (read_before + read_rate(phase.work.bytes)) / 2);
    if (engine_)
      through_engine(phase);
  }
}

} // namespace ganglion::benchmarks
