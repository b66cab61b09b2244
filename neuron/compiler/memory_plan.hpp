// Assigns every value of an entry computation its place in memory: parameters
// in place, constants in one pool, the rest in an arena shared by values whose
// lives do not overlap.
#pragma once

#include "hlo/module.hpp"
#include "neuron/program.hpp"

#include <unordered_map>

namespace ganglion::neuron {

/// The operand whose memory an instruction's result takes over, or -1.
int aliased_operand(const hlo::instruction &i);

/// Places of all values. A tuple has one place per element.
class memory_plan {
public:
  explicit memory_plan(const hlo::computation &entry);

  buffer_ref at(const hlo::instruction *i) const { return places_.at(i)[0]; }
  const std::vector<buffer_ref> &all(const hlo::instruction *i) const {
    return places_.at(i);
  }
  std::size_t arena_bytes() const { return arena_bytes_; }
  aligned_buffer take_constants() { return std::move(constants_); }

private:
  void find_last_uses(const hlo::computation &entry);
  void place(const hlo::instruction *i);
  void place_constants(const hlo::computation &entry);
  std::size_t allocate(std::size_t bytes);
  void free_dead(std::size_t now);

  struct block {
    std::size_t offset, bytes, last_use;
  };
  std::unordered_map<const hlo::instruction *, std::vector<buffer_ref>> places_;
  std::unordered_map<const hlo::instruction *, std::size_t> last_use_;
  std::vector<block> live_;
  std::size_t arena_bytes_ = 0;
  aligned_buffer constants_;
};

} // namespace ganglion::neuron
