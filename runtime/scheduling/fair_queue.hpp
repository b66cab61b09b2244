// Whose turn it is among those that wait: clients get equal shares of the
// tokens, however much each of them asks for.
#pragma once

#include "runtime/scheduling/sequence.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

namespace ganglion::runtime {

/// Start-time fair queueing (Goyal, Vin and Cheng 1996): a sequence's turn is
/// where the client's earlier ones end in tokens, but not before what is being
/// served now, so that nobody saves up turns. With one client this is the order
/// of arrival.
class fair_queue {
public:
  /// The turn of a sequence that arrives; `positions` are those it may take. A
  /// later round of a text, as beams have, is not sent to the end again: its
  /// turn is now, and its client pays for the one new token.
  std::int64_t turn_of(const sequence_request &request, std::int64_t positions);

  /// A sequence of this turn is served.
  void note_served(std::int64_t turn) { now_ = std::max(now_, turn); }
  /// Nobody waits or runs: all start anew.
  void reset();

private:
  std::int64_t now_ = 0;
  std::map<std::size_t, std::int64_t> ends_; ///< by client
};

/// Whether `a` goes before `b`: by turn, then in order of arrival.
inline bool goes_before(const sequence &a, const sequence &b) {
  return a.turn != b.turn ? a.turn < b.turn : a.request.id < b.request.id;
}

} // namespace ganglion::runtime
