#include "runtime/shard/shared_tables.hpp"

#include "runtime/shard/packed_layout.hpp"
#include "runtime/sharding/weight_placement.hpp"

namespace ganglion::runtime {

namespace {

/// Calls f(weight, how the program or the host reads it) for every table.
template <class F>
void each_table(const compiled_steps &steps, F f) {
  for (const auto &w : steps.weights())
    if (is_table(w))
      f(w, steps.parameter(w.parameter_number));
  if (const auto &w = steps.host_embedding())
    f(*w, neuron::program_parameter{w->name,
                                    hlo::array_shape(steps.type(), w->whole)});
}

/// Whether the checkpoint's bytes are already what is read.
bool usable_in_place(const model_source &model, const hlo::weight_parameter &w,
                     const neuron::program_parameter &parameter,
                     const hlo::placement &placed) {
  const auto source = place_weight(model, w, placed, 0).type;
  const auto wanted = parameter.form.type;
  const auto found = model.locate(w);
  const auto address =
      reinterpret_cast<std::uintptr_t>(found.tensor.bytes.data());
  return source == wanted && !found.origin.transposed &&
         found.origin.fused_outputs == 0 && address % byte_size(wanted) == 0;
}

} // namespace

std::shared_ptr<const shared_tables>
shared_tables::load(std::shared_ptr<const model_source> model,
                    const compiled_steps &steps, const hlo::placement &placed,
                    const weight_loading &how) {
  auto out = std::make_shared<shared_tables>();
  out->model_ = std::move(model);
  each_table(steps, [&](const auto &w, const auto &parameter) {
    out->tables_[w.parameter_number] =
        usable_in_place(*out->model_, w, parameter, placed)
            ? out->model_->locate(w).tensor.bytes.data()
            : out->convert(w, parameter, placed, how);
  });
  return out;
}

const std::byte *shared_tables::convert(
    const hlo::weight_parameter &w, const neuron::program_parameter &parameter,
    const hlo::placement &placed, const weight_loading &how) {
  const bool known = how.artifacts && !how.artifacts->empty();
  const digest layout =
      known ? table_layout(*model_, placed, w, parameter) : digest{};
  if (auto found = known ? how.artifacts->weights(layout, parameter.bytes())
                         : std::nullopt) {
    mapped_.push_back(std::move(*found));
    return mapped_.back().bytes().data();
  }
  aligned_buffer copy(parameter.bytes());
  neuron::pack(place_weight(*model_, w, placed, 0), parameter.form,
               parameter.how, copy.data());
  if (known)
    how.artifacts->keep_weights(
        layout, {{"family", model_->spec().family}, {"table", w.name}},
        copy.bytes());
  if (how.low_memory)
    model_->weights().release(stored_tensor(*model_, w, placed, 0));
  converted_.push_back(std::move(copy));
  return converted_.back().data();
}

const std::byte *shared_tables::find(std::int64_t parameter) const {
  const auto found = tables_.find(parameter);
  return found == tables_.end() ? nullptr : found->second;
}

std::size_t missing_weights(const model_source &model,
                            const compiled_steps &steps,
                            const hlo::placement &placed,
                            const artifact_set &artifacts) {
  std::size_t missing = 0;
  for (std::int64_t rank = 0; rank < placed.tp_degree(); ++rank)
    missing +=
        !artifacts.has_weights(packed_layout(model, steps, placed, rank));
  each_table(steps, [&](const auto &w, const auto &parameter) {
    if (!usable_in_place(model, w, parameter, placed))
      missing +=
          !artifacts.has_weights(table_layout(model, placed, w, parameter));
  });
  return missing;
}

} // namespace ganglion::runtime
