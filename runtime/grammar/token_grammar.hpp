// A grammar over a model's tokens: which of them may come next.
#pragma once

#include "runtime/grammar/state_table.hpp"
#include "runtime/grammar/token_trie.hpp"

#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace ganglion::runtime::grammar {

/// Whether the place of a text in its grammar is known.
enum class match_status : std::uint8_t {
  ok,         ///< also where no token may follow
  too_complex ///< a limit was reached
};

/// Shared by all sequences, ranks and threads that follow the grammar; what
/// one of them found out serves all. A mask depends on the text alone, never on
/// what was asked before.
class token_grammar {
public:
  token_grammar(automaton rules, std::shared_ptr<const token_trie> tokens);

  const token_trie &tokens() const { return *tokens_; }
  /// Words of a mask: one bit for each id of the vocabulary.
  std::size_t words() const { return (tokens_->vocabulary() + 63) / 64; }

private:
  friend class cursor;

  std::int32_t start();
  std::int32_t after(std::int32_t state, std::int32_t token);
  const std::uint64_t *mask_of(std::int32_t state);
  bool walk(std::int32_t state, std::span<std::uint64_t> mask);
  std::span<std::uint64_t> take_mask(std::int32_t state);
  void flush();

  automaton rules_;
  std::shared_ptr<const token_trie> tokens_;

  std::mutex mutex_; ///< of all below
  state_table states_;
  std::vector<std::int32_t> path_; ///< states of a walk by depth
  /// Masks take turns; by state, the mask it has, and the other way round.
  std::unique_ptr<std::uint64_t[]> masks_;
  std::vector<std::int32_t> mask_of_state_, state_of_mask_;
  std::size_t next_mask_ = 0;
};

/// Where one text is in its grammar. Allocates nothing after `begin` as long
/// as the text stays within its longest length. One thread at a time.
class cursor {
public:
  cursor() = default;
  /// `generated`: tokens of the text so far.
  void begin(std::shared_ptr<token_grammar> of,
             std::span<const std::int32_t> generated, std::size_t longest);

  explicit operator bool() const { return of_ != nullptr; }
  void append(std::int32_t token);
  void roll_back(std::size_t count);

  /// The tokens that may come next: [words] bits. Where `accepted`, the text
  /// may also end.
  match_status allowed(std::span<std::uint64_t> mask, bool &accepted);
  /// Finds the mask now, so that it is known when it is needed.
  void prepare();

private:
  std::int32_t current();

  std::shared_ptr<token_grammar> of_;
  std::vector<std::int32_t> tokens_;
  /// The states after so many tokens, those that are known in `epoch_`.
  std::vector<std::int32_t> states_;
  std::uint64_t epoch_ = 0;
};

} // namespace ganglion::runtime::grammar
