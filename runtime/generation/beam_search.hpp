// HuggingFace's beam search: which continuations are followed, which have
// ended, and when none can become better any more.
#pragma once

#include "runtime/generation/token_score.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace ganglion::runtime {

/// When a search with as many ended texts as beams is over.
enum class early_stopping {
  never,   ///< when none that is followed can ever become better
  no,      ///< the same, judged as if they ended at their present length
  at_once, ///< then
};

struct beam_settings {
  std::int32_t beams = 1;
  /// Scores are sums of log-probabilities over length to this power.
  float length_penalty = 1.0f;
  early_stopping stopping = early_stopping::no;
  std::int64_t max_new_tokens = 1;
  std::set<std::int32_t> end_ids;

  /// Likeliest continuations of each beam that a step must tell: enough,
  /// should all end tokens be among them.
  std::int32_t candidates() const;
};

/// New tokens with the log-probability of each, and their score.
struct beam {
  std::vector<std::int32_t> tokens;
  std::vector<float> logprobs;
  float sum = 0;
  double score = 0; ///< once it has ended
};

/// Source: `BeamSearchScorer` and `BeamHypotheses` of transformers 4.46.
class beam_search {
public:
  explicit beam_search(beam_settings settings);

  /// What is to be continued: one empty beam at first.
  const std::vector<beam> &followed() const { return followed_; }
  /// The likeliest next tokens of every followed beam, the likeliest first.
  void advance(std::span<const std::vector<token_score>> candidates);
  bool done() const { return done_; }
  /// The `count` best of all, the best first, once the search is done; fewer
  /// where processors left no more.
  std::vector<beam> best(std::size_t count) const;

private:
  struct continuation {
    float sum;
    std::size_t from;
    token_score next;
  };
  std::vector<continuation>
  ranked(std::span<const std::vector<token_score>> candidates) const;
  beam continued(const continuation &c) const;
  void end(beam ended, std::int64_t length);
  bool is_over(float best_sum) const;
  std::int64_t length() const {
    return static_cast<std::int64_t>(followed_[0].tokens.size());
  }
  double penalised(float sum, std::int64_t length) const;

  beam_settings settings_;
  std::vector<beam> followed_;
  std::vector<beam> ended_; ///< by score, the worst first
  bool done_ = false;
};

} // namespace ganglion::runtime
