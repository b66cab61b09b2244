// All kernels and their table; included inside the namespace of an instruction
// set, after its vectors.

namespace {

#include "neuron/kernels/math.ipp"
// Each part builds on the ones before it; comments keep the formatter, which
// sorts within groups, from changing their order.
#include "neuron/kernels/linear.ipp"
// Attention is two products.
#include "neuron/kernels/attention_tile.ipp"
// Scores of a tile.
#include "neuron/kernels/attention_products.ipp"
// Values weighted by scores.
#include "neuron/kernels/attention_mix.ipp"
// All of it.
#include "neuron/kernels/attention.ipp"
// Of several parts.
#include "neuron/kernels/merge.ipp"
// Experts.
#include "neuron/kernels/moe.ipp"
// Rounding on its own.
#include "neuron/kernels/round.ipp"
// Row by row.
#include "neuron/kernels/rows.ipp"
// Uses rows.ipp.
#include "neuron/kernels/quantise.ipp"
// Uses rows.ipp, too.
#include "neuron/kernels/scan.ipp"
// Draws.
#include "neuron/kernels/race.ipp"

} // namespace

extern const kernel_set kernels;
const kernel_set kernels = {
    this_isa,      linear,          norm,          rotary,       round_rows,
    row_scales,    quantise_rows,   group_sums,    attention,    merge,
    write_keys,    write_values,    write_scales,  gather,       add_rows,
    scan,          weigh,           masses_within, mask_outside, moment,
    places_within, first_contender, route,         dispatch,     combine,
};
