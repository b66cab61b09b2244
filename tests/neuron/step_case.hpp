// The step graph of a golden model with its weights, and steps of several
// sequences to run through it.
#pragma once

#include "hlo/decoder/step_graph.hpp"
#include "runtime/sharding/kv_view.hpp"
#include "runtime/sharding/weight_placement.hpp"
#include "tests/fixtures.hpp"
#include "tests/neuron/program_runner.hpp"

namespace ganglion::testing {

/// One token row of a step.
struct step_row {
  std::int32_t token, position, slot;
  bool wants_logits = false;
};

/// A group whose ranks have whole experts.
inline hlo::sharding_options whole_experts(std::int64_t tp_degree) {
  hlo::sharding_options out{tp_degree};
  out.experts = hlo::expert_sharding::distributed;
  return out;
}

class step_case {
public:
  using literal = hlo::literal;

  step_case(const std::string &model, hlo::element_type type,
            std::int64_t tp_degree)
      : step_case(model, type, hlo::sharding_options{tp_degree}) {}

  step_case(const std::string &model, hlo::element_type type,
            const hlo::sharding_options &wanted,
            const hlo::graph_form &form = {},
            const hlo::weight_quantisation &quantize = {},
            hlo::cache_quantisation cache = hlo::cache_quantisation::none)
      : source(runtime::model_source::open(fixture("models/" + model))) {
    options.type = type;
    options.quantize = quantize;
    options.cache = cache;
    options.slots = 4;
    std::vector<std::string> notes;
    options.sharding =
        hlo::resolve_sharding(source->spec(), wanted, options.slots, notes);
    options.form = form;
    options.rows = 8;
    options.logit_rows = 3;
    options.block_positions = 16;
    options.max_blocks = 2;
    options.blocks = options.slots * options.max_blocks + 1;
    step = hlo::build_step_graph(source->spec(), options);
  }

  /// All arguments of one rank: the step's rows, empty caches, weights.
  std::vector<literal> arguments(const std::vector<step_row> &rows,
                                 std::int64_t rank) const {
    std::vector<literal> out = inputs(rows, rank);
    const auto parameters = step.graph->entry()->parameters();
    for (std::size_t i = 0; i < step.cache_parameters.size(); ++i)
      out.emplace_back(parameters[out.size()]->form);
    const hlo::placement placed(source->spec(), options.sharding);
    std::vector<float> scales; // of the weight before
    for (const auto &w : step.weights) {
      literal l(parameters[out.size()]->form);
      if (w.form == hlo::weight_form::scale)
        l = literal::from_floats(l.form().dimensions, scales);
      else
        fill(l, w, placed, rank, scales);
      out.push_back(std::move(l));
    }
    return out;
  }

  /// The inputs of one rank that change from step to step, in parameter
  /// order.
  std::vector<literal> inputs(const std::vector<step_row> &rows,
                              std::int64_t rank = 0) const {
    const auto parameters = step.graph->entry()->parameters();
    std::vector<literal> out;
    for (std::size_t i = 0; i < hlo::step_input_count; ++i)
      out.emplace_back(parameters[i]->form);
    const runtime::kv_view view(
        hlo::placement(source->spec(), options.sharding), rank,
        options.block_positions, options.blocks);
    for (std::int64_t t = 0; t < options.rows; ++t)
      out[hlo::write_slots].set_integer(t, view.nowhere()); // padding
    for (std::int64_t i = 0; i < options.slots * options.max_blocks; ++i)
      out[hlo::block_tables].set_integer(i, block_number(i));
    if (step.host_embedding)
      out.push_back(embedded(rows));
    std::int64_t row = 0, logits = 0;
    for (const step_row &r : rows) {
      out[hlo::token_ids].set_integer(row, r.token);
      out[hlo::positions].set_integer(row, r.position);
      out[hlo::rotary_lengths].set_integer(row, r.position + 1);
      out[hlo::row_slots].set_integer(row, r.slot);
      const auto slot = block_number(r.slot * options.max_blocks +
                                     r.position / view.plan_block()) *
                            view.plan_block() +
                        r.position % view.plan_block();
      out[hlo::write_slots].set_integer(
          row, view.write_slot(static_cast<std::int32_t>(slot), r.slot));
      const auto kept = view.kept(r.position + 1, r.slot);
      out[hlo::last_seen].set_integer(row, kept - 1);
      out[hlo::context_lengths].set_integer(r.slot, kept);
      if (r.wants_logits)
        out[hlo::logit_rows].set_integer(logits++, row);
      ++row;
    }
    out[hlo::live_rows].set_integer(0, row);
    out[hlo::live_rows].set_integer(1, logits);
    return out;
  }

  std::shared_ptr<const runtime::model_source> source;
  hlo::graph_options options;
  hlo::step_graph step;

private:
  /// What the host looks up: rows of the table in the graph's type.
  literal embedded(const std::vector<step_row> &rows) const {
    const auto &w = *step.host_embedding;
    literal table(hlo::array_shape(options.type, w.whole));
    neuron::pack(
        runtime::place_weight(
            *source, w, hlo::placement(source->spec(), options.sharding), 0),
        table.form(), neuron::packing::row_major, table.bytes().data());
    const auto parameters = step.graph->entry()->parameters();
    literal out(parameters[static_cast<std::size_t>(w.parameter_number)]->form);
    const auto width = w.whole[1];
    for (std::size_t r = 0; r < rows.size(); ++r)
      for (std::int64_t k = 0; k < width; ++k)
        out.set_real(static_cast<std::int64_t>(r) * width + k,
                     table.real(rows[r].token * width + k));
    return out;
  }

  void fill(literal &l, const hlo::weight_parameter &w,
            const hlo::placement &placed, std::int64_t rank,
            std::vector<float> &scales) const {
    auto from = runtime::place_pieces(*source, w, placed, rank);
    std::size_t outputs = 0;
    for (const auto &part : from)
      outputs += part.rows.size();
    scales.resize(outputs);
    float *scale = scales.data();
    for (std::size_t i = 0; i < from.size(); ++i)
      if (w.form == hlo::weight_form::quantised) {
        const auto &piece = w.pieces()[i];
        neuron::int8_scales(
            runtime::place_whole_rows(*source, piece, placed, rank), w.name,
            scale);
        from[i].scales = scale;
        scale += from[i].rows.size();
      }
    neuron::pack(from, l.form(), neuron::packing::row_major, l.bytes().data());
  }

  /// Blocks of a sequence lie apart and out of order.
  std::int64_t block_number(std::int64_t i) const {
    return (i * 3 + 1) % options.blocks;
  }
};

/// A prompt of one sequence; then its next token beside a chunk of another.
inline std::vector<std::vector<step_row>> mixed_steps() {
  return {
      {{11, 0, 0}, {42, 1, 0}, {7, 2, 0}, {99, 3, 0}, {5, 4, 0, true}},
      {{63, 5, 0, true}, {3, 0, 2}, {17, 1, 2}, {80, 2, 2}, {29, 3, 2, true}}};
}

} // namespace ganglion::testing
