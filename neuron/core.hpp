// One NeuronCore: its number and its memory budget, against which every
// allocation is accounted.
#pragma once

#include "hlo/support/aligned_buffer.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ganglion::neuron {

/// A reservation: what it is for and how many bytes.
struct reservation {
  std::string what;
  std::size_t bytes = 0;
};

/// Owned by one shard; not for use by two threads at once.
class core {
public:
  core(int id, std::size_t budget) : id_(id), budget_(budget) {}

  int id() const { return id_; }
  std::size_t budget() const { return budget_; }
  std::size_t reserved() const;
  const std::vector<reservation> &reservations() const { return ledger_; }

  /// Accounts for all of `wanted` or throws `out_of_memory` naming each part,
  /// the budget, and what to change. Called before any weight is read.
  void reserve(const std::vector<reservation> &wanted);
  /// Gives everything back.
  void release() { ledger_.clear(); }

private:
  int id_;
  std::size_t budget_;
  std::vector<reservation> ledger_;
};

/// "1.5 GiB", "12.0 MiB", "640 B".
std::string human_bytes(std::size_t bytes);

} // namespace ganglion::neuron
