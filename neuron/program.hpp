// A compiled step: a flat list of kernel calls over planned memory, run by a
// rank's thread team without allocating.
#pragma once

#include "hlo/literal.hpp"
#include "neuron/collectives/communicator.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/packing.hpp"

#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ganglion::neuron {

/// Where a value lives while a program runs.
struct buffer_ref {
  /// `local`: each member of a team has its own, or all share one.
  enum class place : std::uint8_t { parameter, arena, local, constant };
  place where = place::arena;
  std::size_t index = 0; ///< parameter number, or byte offset

  friend bool operator==(const buffer_ref &, const buffer_ref &) = default;
};

/// Which live count bounds the rows that a kernel works on.
enum class row_bound : std::uint8_t { all, tokens, logits };

/// How kernels that go row by row run: sharing out the rows, or every member
/// all of them, which spares a meeting where rows are few.
enum class row_mode : std::uint8_t { shared, repeated };

/// Teams of more members meet before every call.
inline constexpr int most_planned_members = 16;

/// The teams that must meet before a call.
class meeting_set {
public:
  void add(row_mode mode, int members) {
    bits_[static_cast<std::size_t>(mode)] |= 1u << members;
  }
  bool has(row_mode mode, int members) const {
    return members > most_planned_members ||
           (bits_[static_cast<std::size_t>(mode)] >> members & 1u) != 0;
  }
  std::size_t count() const {
    return static_cast<std::size_t>(std::popcount(bits_[0]) +
                                    std::popcount(bits_[1]));
  }

private:
  std::uint32_t bits_[2] = {0, 0};
};

/// The memory and the peers of one run. Set up once per rank and reused.
struct run_frame {
  std::vector<std::byte *> parameters;
  /// program::memory_bytes for the team that runs.
  std::byte *arena = nullptr;
  // Set by runs:
  std::byte *local = nullptr;
  std::byte *constants = nullptr;
  std::vector<run_frame> others; ///< what members 1, 2, ... see
  std::int64_t live_tokens = 0, live_logits = 0;
  communicator *group = nullptr; ///< null for a group of one
  int rank = 0;
  std::uint64_t sequence = 0; ///< of the next collective; advanced by runs
  collective_status status = collective_status::ok;

  std::byte *at(buffer_ref ref) const {
    switch (ref.where) {
    case buffer_ref::place::parameter:
      return parameters[ref.index];
    case buffer_ref::place::local:
      return local + ref.index;
    case buffer_ref::place::constant:
      return constants + ref.index;
    default:
      return arena + ref.index;
    }
  }

  /// Rows to compute of an array whose first dimension is `whole`.
  std::int64_t rows(row_bound bound, std::int64_t whole) const {
    return bound == row_bound::all      ? whole
           : bound == row_bound::tokens ? live_tokens
                                        : live_logits;
  }
};

/// One entry of the list.
struct kernel_call {
  std::string name;   ///< instruction name, e.g. "call.12"
  std::string kernel; ///< what runs, e.g. "linear bf16 avx512"
  std::string shape;  ///< of the result
  /// Runs the share of one team member. Composites and collectives neither
  /// throw nor allocate; other operations, run by member 0, may.
  std::function<void(run_frame &, work_share)> run;
  /// Member 0 runs it alone: collectives, plain HLO operations.
  bool single = false;
  bool collective = false;
  /// Goes row by row into local memory: see row_mode.
  bool repeatable = false;
  meeting_set meets; ///< before it
};

/// What a program wants in one parameter.
struct program_parameter {
  std::string name;
  /// The graph's; of a tiled weight in panels the matrix, of a cache that the
  /// device keeps in an order of its own the shape in that order.
  hlo::shape form;
  packing how = packing::row_major;
  /// Of such a cache: which of the graph's dimensions each of `form` is.
  hlo::dims order = {};
  std::size_t bytes() const { return packed_bytes(form, how); }
};

/// Time spent in one run, for benchmarks; nanoseconds.
struct run_times {
  std::int64_t total = 0, collectives = 0;
};

/// Immutable once compiled; several ranks may run it at once, each with its
/// own frame, arena and team.
class program {
public:
  std::vector<program_parameter> parameters;
  std::vector<buffer_ref> outputs; ///< of the root's arrays, in order
  std::vector<hlo::shape> output_shapes;
  std::vector<kernel_call> calls;
  std::size_t arena_bytes = 0;
  std::size_t local_bytes = 0; ///< for each member, after the arena
  /// Up to so many live rows, repeatable calls are repeated.
  std::int64_t repeated_rows = 0;
  aligned_buffer constants;
  isa set = isa::portable;

  /// What a run by `members` needs as its arena.
  std::size_t memory_bytes(int members) const {
    return arena_bytes + local_bytes * static_cast<std::size_t>(members);
  }

  /// Runs all calls. Returns the first collective failure, after which the
  /// outputs are meaningless. `times`, when given, receives durations. Throws
  /// what the evaluator throws for a plain operation (an endless `while`);
  /// composites and collectives never do.
  collective_status run(run_frame &frame, thread_team &team,
                        run_times *times = nullptr) const;

  /// How often teams of 2 members and of more meet before a call, all told.
  std::size_t meetings() const;

  /// One line per kernel call.
  std::string print() const;

private:
  row_mode mode_for(const run_frame &frame) const;
  void prepare(run_frame &frame, int members) const;
};

} // namespace ganglion::neuron
