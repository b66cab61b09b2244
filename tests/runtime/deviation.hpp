// How far a model's logits and choices are from a golden's.
#pragma once

#include "tests/runtime/prompt_logits.hpp"

namespace ganglion::testing {

struct deviation {
  double worst_error = 0;   ///< of a logit
  double largest_logit = 0; ///< of the golden's
  std::int64_t choices = 0, agreed = 0;

  /// Compares the last rows of `got` with all of `want`.
  void add(std::span<const float> got, std::span<const float> want,
           std::size_t vocabulary) {
    worst_error = std::max(worst_error, worst(got, want));
    for (const float x : want)
      largest_logit = std::max(largest_logit, std::abs(double(x)));
    const auto tail = got.last(want.size());
    for (std::size_t i = 0; i < want.size(); i += vocabulary) {
      ++choices;
      agreed += argmax(tail.subspan(i, vocabulary)) ==
                argmax(want.subspan(i, vocabulary));
    }
  }

  double agreement() const { return double(agreed) / double(choices); }
};

/// Along the golden's own continuation, so that one early difference does not
/// count again at every later token.
inline deviation deviation_of(const golden &g, const group_settings &s) {
  shard_group group(g.directory, s);
  deviation d;
  const auto vocabulary = static_cast<std::size_t>(group.spec().vocabulary);
  for (const auto &prompt : g.expected.root().at("prompts").items()) {
    auto ids = ids_of(prompt.at("ids"));
    auto logits = prompt_logits(group, 1, ids);
    d.add(logits, g.tensor(prompt.at("logits").as_string()), vocabulary);
    for (const auto next : ids_of(prompt.at("greedy").at("ids"))) {
      ++d.choices;
      d.agreed += argmax(std::span(logits).last(vocabulary)) == next;
      logits = group.feed(1, static_cast<std::int64_t>(ids.size()), {{next}});
      ids.push_back(next);
    }
  }
  return d;
}

} // namespace ganglion::testing
