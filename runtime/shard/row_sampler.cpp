#include "runtime/shard/row_sampler.hpp"

namespace ganglion::runtime {

namespace {

/// Logits that one thread goes through before others would have begun.
constexpr std::size_t few_logits = 8192;

} // namespace

row_sampler::row_sampler(std::size_t vocabulary, std::size_t rows,
                         std::size_t most_top, int members,
                         const neuron::kernel_set &kernels)
    : vocabulary_(vocabulary),
      most_top_(most_top),
      samplers_(static_cast<std::size_t>(members),
                sampler(vocabulary, kernels)),
      scans_(rows * samplers_[0].parts()),
      block_max_(rows * samplers_[0].blocks()),
      choices_(rows),
      top_(rows * most_top) {}

scanned_row row_sampler::row_of(const step &s, std::size_t row) const {
  const std::size_t parts = samplers_[0].parts();
  const std::size_t blocks = samplers_[0].blocks();
  return {{s.logits + row * vocabulary_, vocabulary_},
          {scans_.data() + row * parts, parts},
          {block_max_.data() + row * blocks, blocks}};
}

/// Threads share out parts of rows.
void row_sampler::scan(const step &s, neuron::work_share share) {
  const std::size_t parts = samplers_[0].parts();
  const std::size_t blocks = samplers_[0].blocks();
  const auto mine = neuron::range_of(
      static_cast<std::int64_t>(s.wanted.size() * parts), share);
  for (auto i = static_cast<std::size_t>(mine.begin);
       i < static_cast<std::size_t>(mine.end); ++i) {
    const std::size_t row = i / parts;
    if (s.wanted[row].has_token())
      scans_[i] = samplers_[0].scan(row_of(s, row).logits, i % parts,
                                    {block_max_.data() + row * blocks, blocks});
  }
}

/// Threads share out the rows; those of guesses stay with the row before them,
/// for they change the state of their slot.
void row_sampler::choose(const step &s, neuron::work_share share) {
  const auto first_from = [&](std::int64_t row) {
    auto i = static_cast<std::size_t>(row);
    while (row > 0 && i < s.wanted.size() && s.wanted[i].guesses > 0)
      ++i;
    return i;
  };
  const auto mine =
      neuron::range_of(static_cast<std::int64_t>(s.wanted.size()), share);
  for (auto i = first_from(mine.begin); i < first_from(mine.end); ++i)
    if (s.wanted[i].has_token())
      choices_[i] =
          choice(s, i, samplers_[static_cast<std::size_t>(share.part)]);
}

chosen_token row_sampler::choice(const step &s, std::size_t row,
                                 sampler &with) {
  const logit_request &want = s.wanted[row];
  const std::span<token_score> top(top_.data() + row * most_top_,
                                   static_cast<std::size_t>(want.top));
  if (!want.sample)
    return with.score(row_of(s, row), want.target, top);
  sampler_state &state = s.slots[static_cast<std::size_t>(want.slot)];
  const auto guesses = static_cast<std::size_t>(want.guesses);
  const auto end = static_cast<std::size_t>(want.row) + 1;
  for (std::size_t i = end - guesses; i < end; ++i)
    state.append(s.token_ids[i]);
  const auto chosen = with.choose(row_of(s, row), state, want.position, top);
  state.roll_back(guesses);
  return chosen;
}

void row_sampler::choose(neuron::thread_team &team,
                         std::span<const logit_request> wanted,
                         std::span<const std::int32_t> token_ids,
                         std::span<sampler_state> slots, const float *logits) {
  const step s{wanted, token_ids, slots, logits};
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
