// Decides before which calls of a program the members of a team must meet.
#pragma once

#include "neuron/compiler/sharing.hpp"

namespace ganglion::neuron {

/// One call as the schedule sees it.
struct scheduled_call {
  std::vector<memory_use> uses;
  bool repeatable = false; ///< every member does all of it when rows are few
};

/// Sets `meets` of every call: as seldom as what the calls touch permits.
/// `uses` has one entry per call.
void plan_meetings(const std::vector<scheduled_call> &uses,
                   std::vector<kernel_call> &calls);

} // namespace ganglion::neuron
