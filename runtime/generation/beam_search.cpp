#include "runtime/generation/beam_search.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime {

std::int32_t beam_settings::candidates() const {
  return beams * std::max(2, 1 + static_cast<std::int32_t>(end_ids.size()));
}

beam_search::beam_search(beam_settings settings)
    : settings_(std::move(settings)),
      followed_(1) {}

double beam_search::penalised(float sum, std::int64_t length) const {
  return sum / std::pow(static_cast<double>(length),
                        static_cast<double>(settings_.length_penalty));
}

/// Continuations of all beams by their sums; of equals the first beam's and
/// the lower token first.
std::vector<beam_search::continuation> beam_search::ranked(
    std::span<const std::vector<token_score>> candidates) const {
  std::vector<continuation> all;
  for (std::size_t i = 0; i < followed_.size(); ++i)
    for (const token_score &next : candidates[i])
      all.push_back({followed_[i].sum + next.logprob, i, next});
  std::ranges::sort(all, [](const continuation &a, const continuation &b) {
    if (a.sum != b.sum)
      return a.sum > b.sum;
    return a.from != b.from ? a.from < b.from : a.next.token < b.next.token;
  });
  const auto most = static_cast<std::size_t>(settings_.candidates());
  all.resize(std::min(all.size(), most));
  return all;
}

beam beam_search::continued(const continuation &c) const {
  beam out = followed_[c.from];
  out.tokens.push_back(c.next.token);
  out.logprobs.push_back(c.next.logprob);
  out.sum = c.sum;
  return out;
}

/// Keeps it if it is among the best.
void beam_search::end(beam ended, std::int64_t length) {
  ended.score = penalised(ended.sum, length);
  const auto place = std::ranges::upper_bound(
      ended_, ended.score, {}, [](const beam &b) { return b.score; });
  ended_.insert(place, std::move(ended));
  if (ended_.size() > static_cast<std::size_t>(settings_.beams))
    ended_.erase(ended_.begin());
}

/// `best_sum`: of the likeliest continuation of this step, ended or not.
bool beam_search::is_over(float best_sum) const {
  if (ended_.size() < static_cast<std::size_t>(settings_.beams))
    return false;
  if (settings_.stopping == early_stopping::at_once)
    return true;
  const bool grows = settings_.stopping == early_stopping::never &&
                     settings_.length_penalty > 0;
  const std::int64_t at = grows ? settings_.max_new_tokens : length();
  return ended_.front().score >= penalised(best_sum, at);
}

void beam_search::advance(
    std::span<const std::vector<token_score>> candidates) {
  const auto all = ranked(candidates);
  const auto wanted = static_cast<std::size_t>(settings_.beams);
  std::vector<beam> next;
  for (std::size_t rank = 0; rank < all.size() && next.size() < wanted;
       ++rank) {
    beam longer = continued(all[rank]);
    if (!settings_.end_ids.contains(all[rank].next.token))
      next.push_back(std::move(longer));
    else if (rank < wanted) {
      const auto length = static_cast<std::int64_t>(longer.tokens.size());
      end(std::move(longer), length);
    }
  }
  if (next.empty()) {
    done_ = true;
    return;
  }
  followed_ = std::move(next);
  done_ = is_over(all.front().sum);
  if (done_ || length() < settings_.max_new_tokens)
    return;
  for (const beam &b : followed_)
    end(b, length());
  done_ = true;
}

std::vector<beam> beam_search::best(std::size_t count) const {
  std::vector<beam> out(ended_.rbegin(), ended_.rend());
  out.resize(std::min(out.size(), count));
  return out;
}

} // namespace ganglion::runtime
