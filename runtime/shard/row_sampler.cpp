#include "runtime/shard/row_sampler.hpp"

namespace ganglion::runtime {

namespace {

/// Logits that one thread goes through before others would have begun.
constexpr std::size_t few_logits = 8192;

} // namespace

row_sampler::row_sampler(std::size_t vocabulary, std::size_t rows, int members,
                         const neuron::kernel_set &kernels)
    : vocabulary_(vocabulary),
      samplers_(static_cast<std::size_t>(members),
                sampler(vocabulary, kernels)),
      scans_(rows * samplers_[0].parts()),
      choices_(rows) {}

std::span<float> row_sampler::row_of(const step &s, std::size_t row) const {
  return {s.logits + row * vocabulary_, vocabulary_};
}

/// Threads share out parts of rows.
void row_sampler::scan(const step &s, neuron::work_share share) {
  const std::size_t parts = samplers_[0].parts();
  const auto mine = neuron::range_of(
      static_cast<std::int64_t>(s.wanted.size() * parts), share);
  for (auto i = static_cast<std::size_t>(mine.begin);
       i < static_cast<std::size_t>(mine.end); ++i) {
    const logit_request &want = s.wanted[i / parts];
    if (want.sample)
      scans_[i] = samplers_[0].scan(
          row_of(s, i / parts), s.slots[static_cast<std::size_t>(want.slot)],
          i % parts);
  }
}

/// Threads share out the rows.
void row_sampler::choose(const step &s, neuron::work_share share) {
  const std::size_t parts = samplers_[0].parts();
  const auto mine =
      neuron::range_of(static_cast<std::int64_t>(s.wanted.size()), share);
  for (auto i = static_cast<std::size_t>(mine.begin);
       i < static_cast<std::size_t>(mine.end); ++i) {
    const logit_request &want = s.wanted[i];
    if (want.sample)
      choices_[i] = samplers_[static_cast<std::size_t>(share.part)].choose(
          row_of(s, i), {scans_.data() + i * parts, parts},
          s.slots[static_cast<std::size_t>(want.slot)], want.position);
  }
}

void row_sampler::choose(neuron::thread_team &team,
                         std::span<const logit_request> wanted,
                         std::span<const sampler_state> slots, float *logits) {
  const step s{wanted, slots, logits};
  if (wanted.size() * vocabulary_ <= few_logits) {
    scan(s, {});
    choose(s, {});
    return;
  }
  const auto work = [&](int member) {
    scan(s, {member, team.size()});
    team.barrier();
    choose(s, {member, team.size()});
  };
  team.run(std::ref(work)); // a reference: nothing is allocated
}

} // namespace ganglion::runtime
