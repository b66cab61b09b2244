// Writes any rows of a parameter into any packed form, element by element: what
// the fast writers of packing.cpp have no form for.
#pragma once

#include "neuron/packing.hpp"

namespace ganglion::neuron {

/// Input columns held together in a panel: bf16 keeps pairs for the dot
/// product instruction, so does s8, which becomes bf16, and quads are four.
std::int64_t columns_per_step(hlo::element_type type, packing how);

/// Rows of a packed form, padding included.
struct row_range {
  std::int64_t first, count;
};

/// Writes the rows of `source`, and after them zeros, into the rows `to` of
/// all of `out`. Types and sizes must have been checked. Runs on oneTBB's
/// threads.
void pack_elements(const weight_source &source, const hlo::shape &form,
                   packing how, row_range to, std::byte *out);

} // namespace ganglion::neuron
