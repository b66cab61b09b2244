// Assigns every value of an entry computation its place in memory: parameters
// in place, constants in one pool, the rest in an arena shared by values whose
// lives do not overlap; what goes row by row in a second one, of which every
// member of a team may have its own.
#pragma once

#include "hlo/module.hpp"
#include "neuron/program.hpp"

#include <unordered_map>

namespace ganglion::neuron {

/// Whether the result of `i` is its operand's memory, unchanged.
bool passes_memory_on(const hlo::instruction &i);

/// The operand that the composite `i` may overwrite with its result (the cache
/// of a cache write), or -1.
int overwritten_operand(const hlo::instruction &i);

/// The arrays of a shape, through tuples.
std::vector<hlo::shape> leaves_of(const hlo::shape &s);

/// Places of all values. A tuple has one place per array in it, at any depth.
class memory_plan {
public:
  /// Throws `unsupported` for a parameter that is a tuple.
  explicit memory_plan(const hlo::module &m);

  buffer_ref at(const hlo::instruction *i) const { return all(i)[0]; }
  const std::vector<buffer_ref> &all(const hlo::instruction *i) const {
    return places_.at(i);
  }
  /// Memory of the kernel that runs the composite `i`, for as long as it runs.
  buffer_ref scratch(const hlo::instruction *i) const { return scratch_.at(i); }
  /// A further block of the arena that nothing else uses.
  buffer_ref extra(std::size_t bytes);
  std::size_t arena_bytes() const { return arena_bytes_; }
  /// What repeatable kernels write; see row_mode.
  std::size_t local_bytes() const { return local_bytes_; }
  aligned_buffer take_constants() { return std::move(constants_); }

private:
  /// Memory that one or more values share.
  struct buffer {
    buffer_ref place;
    std::size_t bytes = 0, first_use = 0, last_use = 0;
    bool writable = false;
    std::vector<const hlo::instruction *> holders;
  };
  struct block {
    std::size_t offset, bytes, last_use;
  };
  using buffer_list = std::vector<std::size_t>;

  void find_last_users(const hlo::computation &entry);
  void assign_buffers(const hlo::module &m);
  buffer_list buffers_for(const hlo::module &m, const hlo::instruction &i,
                          std::size_t now);
  std::size_t add_buffer(buffer b, std::size_t now);
  void add_scratch(const hlo::instruction &i, std::size_t now);
  bool may_overwrite(const hlo::instruction &i, std::size_t now) const;
  void place_constants();
  void place_arena();
  static std::size_t allocate(std::vector<block> &live, std::size_t bytes);

  const hlo::instruction *root_;
  std::unordered_map<const hlo::instruction *, std::size_t> last_user_;
  std::vector<buffer> buffers_;
  std::unordered_map<const hlo::instruction *, buffer_list> held_;
  std::unordered_map<const hlo::instruction *, std::vector<buffer_ref>> places_;
  std::unordered_map<const hlo::instruction *, std::size_t> scratch_buffers_;
  std::unordered_map<const hlo::instruction *, buffer_ref> scratch_;
  std::vector<block> live_, live_local_;
  std::size_t arena_bytes_ = 0, local_bytes_ = 0;
  aligned_buffer constants_;
};

} // namespace ganglion::neuron
