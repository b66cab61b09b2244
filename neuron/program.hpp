// A compiled step: a flat list of kernel calls over planned memory, run by a
// rank's thread team without allocating.
#pragma once

#include "hlo/literal.hpp"
#include "neuron/collectives/communicator.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "neuron/kernels/kernels.hpp"
#include "neuron/packing.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ganglion::neuron {

/// Where a value lives while a program runs.
struct buffer_ref {
  enum class place : std::uint8_t { parameter, arena, constant };
  place where = place::arena;
  std::size_t index = 0; ///< parameter number, or byte offset

  friend bool operator==(const buffer_ref &, const buffer_ref &) = default;
};

/// Which live count bounds the rows that a kernel works on.
enum class row_bound : std::uint8_t { all, tokens, logits };

/// The memory and the peers of one run. Set up once per rank and reused.
struct run_frame {
  std::vector<std::byte *> parameters;
  std::byte *arena = nullptr;
  std::byte *constants = nullptr;
  std::int64_t live_tokens = 0, live_logits = 0;
  communicator *group = nullptr; ///< null for a group of one
  int rank = 0;
  std::uint64_t sequence = 0; ///< of the next collective; advanced by runs
  collective_status status = collective_status::ok;

  std::byte *at(buffer_ref ref) const {
    switch (ref.where) {
    case buffer_ref::place::parameter:
      return parameters[ref.index];
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
};

/// What a program wants in one parameter.
struct program_parameter {
  std::string name;
  hlo::shape form;
  packing how = packing::row_major;
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
  aligned_buffer constants;
  isa set = isa::portable;

  /// Runs all calls. Returns the first collective failure, after which the
  /// outputs are meaningless. `times`, when given, receives durations. Throws
  /// what the evaluator throws for a plain operation (an endless `while`);
  /// composites and collectives never do.
  collective_status run(run_frame &frame, thread_team &team,
                        run_times *times = nullptr) const;

  /// One line per kernel call.
  std::string print() const;
};

} // namespace ganglion::neuron
