// Instance profiles: how many cores a machine type has, their memory, and the
// tensor-parallel degrees it permits.
#pragma once

#include "hlo/support/error.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::neuron {

struct instance_profile {
  std::string name;
  std::int64_t cores = 0;      ///< 0: as many as asked for
  std::size_t core_memory = 0; ///< bytes per core
  /// Permitted degrees; empty: any (the model's heads decide).
  std::vector<std::int64_t> tp_degrees;
};

/// The profile called `name` ("host", "trn1.32xlarge", "inf2", ...). A family
/// name alone means its largest size. Throws `invalid_argument` listing all.
const instance_profile &profile_of(const std::string &name);

/// Checks `tp_degree` against the profile; throws `invalid_argument` (field
/// tensor_parallel_degree) naming the permitted degrees; below 1 none is.
void check_tp_degree(const instance_profile &profile, std::int64_t tp_degree);

/// Memory budget of one of `ranks` cores: the profile's, and on the host no
/// more than its share of the machine's memory.
std::size_t core_budget(const instance_profile &profile, std::int64_t ranks);

} // namespace ganglion::neuron
