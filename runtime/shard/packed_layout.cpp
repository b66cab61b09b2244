#include "runtime/shard/packed_layout.hpp"

#include "runtime/sharding/weight_placement.hpp"

namespace ganglion::runtime {

namespace {

void add(digest_builder &all, const model_source &model,
         const hlo::weight_parameter &w,
         const neuron::program_parameter &parameter,
         const hlo::placement &placed, std::int64_t rank) {
  all.add(hlo::to_string(parameter.form));
  all.add(static_cast<std::int64_t>(parameter.how));
  for (const auto &piece : w.pieces()) {
    const auto source = place_weight(model, piece, placed, rank);
    all.add(piece.name).add(stored_tensor(model, piece, placed, rank).name);
    all.add(to_string(source.type));
    all.add(source.row_stride).add(source.column_stride);
    all.add(source.rows).add(source.columns);
    all.add(digest_of(std::as_bytes(std::span(piece.values))));
  }
}

} // namespace

bool is_table(const hlo::weight_parameter &w) {
  return w.name.starts_with("embedding.");
}

digest packed_layout(const model_source &model, const compiled_steps &steps,
                     const hlo::placement &placed, std::int64_t rank) {
  digest_builder all;
  for (const auto &w : steps.weights()) {
    const auto &parameter = steps.parameter(w.parameter_number);
    if (is_table(w))
      continue;
    if (w.is_scale()) // made of the weight before it
      all.add(w.name).add(hlo::to_string(parameter.form));
    else
      add(all, model, w, parameter, placed, rank);
  }
  return all.finish();
}

digest table_layout(const model_source &model, const hlo::placement &placed,
                    const hlo::weight_parameter &table,
                    const neuron::program_parameter &parameter) {
  digest_builder all;
  add(all, model, table, parameter, placed, 0);
  return all.finish();
}

} // namespace ganglion::runtime
