#include "runtime/shard/rank_weights.hpp"

#include "runtime/sharding/weight_placement.hpp"

namespace ganglion::runtime {

namespace {

bool is_table(const hlo::weight_parameter &w) {
  return w.name.starts_with("embedding.");
}

std::size_t rounded(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// Whether the checkpoint's bytes are already what the program reads.
bool usable_in_place(const located_weight &found, hlo::element_type source,
                     hlo::element_type wanted) {
  const auto address =
      reinterpret_cast<std::uintptr_t>(found.tensor.bytes.data());
  return source == wanted && !found.origin.transposed &&
         found.origin.fused_outputs == 0 && address % byte_size(wanted) == 0;
}

} // namespace

std::shared_ptr<const shared_tables>
shared_tables::load(std::shared_ptr<const model_source> model,
                    const compiled_steps &steps, const hlo::placement &placed) {
  auto out = std::make_shared<shared_tables>();
  out->model_ = model;
  for (const auto &w : steps.weights()) {
    if (!is_table(w))
      continue;
    const auto &parameter = steps.parameter(w.parameter_number);
    const auto source = place_weight(*model, w, placed, 0);
    const auto found = model->locate(w);
    if (usable_in_place(found, source.type, parameter.form.type)) {
      out->tables_[w.parameter_number] = found.tensor.bytes.data();
      continue;
    }
    aligned_buffer copy(parameter.bytes());
    neuron::pack(source, parameter.form, parameter.how, copy.data());
    out->tables_[w.parameter_number] = copy.data();
    out->converted_.push_back(std::move(copy));
  }
  return out;
}

const std::byte *shared_tables::find(std::int64_t parameter) const {
  const auto found = tables_.find(parameter);
  return found == tables_.end() ? nullptr : found->second;
}

std::shared_ptr<const rank_weights>
rank_weights::load(const model_source &model, const compiled_steps &steps,
                   const hlo::placement &placed, std::int64_t rank,
                   std::shared_ptr<const shared_tables> tables,
                   const load_progress &progress) {
  auto out = std::make_shared<rank_weights>();
  out->tables_ = std::move(tables);
  std::size_t total = 0;
  for (const auto &w : steps.weights()) {
    if (is_table(w))
      continue;
    out->offsets_[w.parameter_number] = total;
    total += rounded(steps.parameter(w.parameter_number).bytes());
  }
  out->memory_ = aligned_buffer(total);
  for (const auto &w : steps.weights()) {
    if (is_table(w))
      continue;
    const auto &parameter = steps.parameter(w.parameter_number);
    neuron::pack(place_weight(model, w, placed, rank), parameter.form,
                 parameter.how,
                 out->memory_.data() + out->offsets_[w.parameter_number]);
    if (progress)
      progress(parameter.bytes());
  }
  return out;
}

const std::byte *rank_weights::at(std::int64_t parameter) const {
  if (const std::byte *table = tables_->find(parameter))
    return table;
  return memory_.data() + offsets_.at(parameter);
}

} // namespace ganglion::runtime
