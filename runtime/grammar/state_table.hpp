// The deterministic machine of a pushdown automaton, made while it is used: a
// state is the set of all ways to have read the bytes so far.
#pragma once

#include "runtime/grammar/automaton.hpp"
#include "runtime/grammar/hash_index.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace ganglion::runtime::grammar {

/// What takes the place of a state.
inline constexpr std::int32_t dead = 0;      ///< no text starts like this
inline constexpr std::int32_t full = -1;     ///< no room; `flush` makes some
inline constexpr std::int32_t too_wide = -2; ///< more ways than are allowed

/// All memory is taken at construction and touched as it is needed. Not for
/// two threads at once.
class state_table {
public:
  /// `of` must outlive it.
  explicit state_table(const automaton &of);

  /// The state before anything is read. May be `full` or `too_wide`.
  std::int32_t start();
  /// After one more byte. May be `dead`, `full` or `too_wide`, after which
  /// nothing may be asked.
  std::int32_t next(std::int32_t state, std::uint8_t byte);
  /// Whether what was read is a whole text.
  bool accepts(std::int32_t state) const {
    return states_[static_cast<std::size_t>(state)].accepts;
  }

  /// Forgets all states.
  void flush();
  /// Grows with every `flush`: numbers of states are of one epoch.
  std::uint64_t epoch() const { return epoch_; }

  std::size_t states() const { return states_.size(); }
  /// Nodes visited so far: what matching costs, in no unit of time.
  std::uint64_t visits() const { return visits_; }

private:
  /// One way to read: a bytes node, and where rules return to.
  struct thread {
    std::int32_t node = 0, stack = 0;
    auto operator<=>(const thread &) const = default;
  };
  struct frame {
    std::int32_t node = 0, below = 0, depth = 0;
  };
  struct known_state {
    std::size_t begin = 0, end = 0; ///< of its threads
    bool accepts = false;
  };

  std::int32_t follow(std::int32_t state, std::size_t byte_class);
  std::int32_t expand(thread from);
  std::int32_t expand_one(thread t);
  bool mark(thread t);
  std::int32_t stack_of(std::int32_t node, std::int32_t below);
  std::int32_t intern();
  void begin_state();

  const automaton &of_;
  std::vector<frame> frames_;
  std::vector<known_state> states_;
  std::vector<thread> threads_;
  std::unique_ptr<std::int32_t[]> transitions_; ///< [states, classes]
  hash_index frame_index_, state_index_;
  std::uint64_t epoch_ = 0, visits_ = 0;

  // The state being made.
  std::vector<thread> open_, made_;
  bool made_accepts_ = false;
  struct visit {
    thread at;
    std::uint64_t stamp = 0;
  };
  std::vector<visit> visited_;
  std::uint64_t stamp_ = 0;
  std::size_t marked_ = 0;
};

} // namespace ganglion::runtime::grammar
