#include "runtime/shard/rank_weights.hpp"

#include "neuron/nibble_packing.hpp"
#include "runtime/shard/packed_layout.hpp"
#include "runtime/sharding/weight_placement.hpp"

namespace ganglion::runtime {

namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + buffer_alignment - 1) / buffer_alignment * buffer_alignment;
}

/// What the manifest of packed weights says to people.
std::vector<manifest_field> about(const model_source &model,
                                  const hlo::placement &placed,
                                  std::int64_t rank) {
  return {{"family", model.spec().family},
          {"rank", std::to_string(rank)},
          {"tensor_parallel_degree", std::to_string(placed.tp_degree())}};
}

/// Computes the scales of a quantised weight's outputs into `scales`.
void add_scales(const model_source &model, const hlo::weight_parameter &w,
                const hlo::placement &placed, std::int64_t rank,
                std::vector<neuron::weight_source> &sources, float *scales) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto &piece = w.pieces()[i];
    neuron::int8_scales(place_whole_rows(model, piece, placed, rank),
                        stored_tensor(model, piece, placed, rank).name, scales);
    sources[i].scales = scales;
    scales += sources[i].rows.size();
  }
}

/// An int4 weight in the form of a graph: its numbers and their scales.
struct group_weight {
  neuron::matrix_size size;
  std::int64_t groups;
  std::vector<std::int8_t> codes;
  std::vector<float16> scales;
};

group_weight encode(const model_source &model, const hlo::weight_parameter &w,
                    const hlo::placement &placed, std::int64_t rank) {
  const auto sources = place_pieces(model, w, placed, rank);
  group_weight out{{0, std::ssize(sources[0].columns)}, 0, {}, {}};
  out.groups = (out.size.k + w.group - 1) / w.group;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto first = static_cast<std::size_t>(out.size.n);
    out.size.n += std::ssize(sources[i].rows);
    out.codes.resize(static_cast<std::size_t>(out.size.n * out.size.k));
    out.scales.resize(static_cast<std::size_t>(out.size.n * out.groups));
    neuron::int4_codes(
        sources[i], w.group,
        stored_tensor(model, w.pieces()[i], placed, rank).name,
        out.codes.data() + first * static_cast<std::size_t>(out.size.k),
        out.scales.data() + first * static_cast<std::size_t>(out.groups));
  }
  return out;
}

} // namespace

/// Its scales are the next parameter.
void rank_weights::pack_groups(const model_source &model,
                               const compiled_steps &steps,
                               const hlo::weight_parameter &w,
                               const hlo::placement &placed,
                               std::int64_t rank) {
  const auto made = encode(model, w, placed, rank);
  const auto put = [&](std::int64_t parameter, const void *data,
                       neuron::matrix_size size) {
    const auto &to = steps.parameter(parameter);
    neuron::pack(neuron::matrix_source(to.form.type, data, size), to.form,
                 to.how, memory_.data() + offsets_.at(parameter));
  };
  put(w.parameter_number, made.codes.data(), made.size);
  put(w.parameter_number + 1, made.scales.data(), {made.size.n, made.groups});
}

void rank_weights::lay_out(const compiled_steps &steps) {
  for (const auto &w : steps.weights()) {
    if (is_table(w))
      continue;
    offsets_[w.parameter_number] = bytes_;
    bytes_ += rounded(steps.parameter(w.parameter_number).bytes());
  }
}

void rank_weights::pack(const model_source &model, const compiled_steps &steps,
                        const hlo::placement &placed, std::int64_t rank,
                        bool low_memory, const load_progress &progress) {
  memory_ = aligned_buffer(bytes_);
  base_ = memory_.data();
  const auto home = [&](std::int64_t parameter) {
    return memory_.data() + offsets_.at(parameter);
  };
  for (const auto &w : steps.weights()) {
    if (is_table(w))
      continue;
    const auto &parameter = steps.parameter(w.parameter_number);
    if (w.form == hlo::weight_form::grouped)
      pack_groups(model, steps, w, placed, rank);
    else if (!w.is_scale()) { // those come with their weight
      auto sources = place_pieces(model, w, placed, rank);
      if (w.form == hlo::weight_form::quantised)
        add_scales(model, w, placed, rank, sources,
                   reinterpret_cast<float *>(home(w.parameter_number + 1)));
      neuron::pack(sources, parameter.form, parameter.how,
                   home(w.parameter_number));
    }
    for (const auto &piece : w.pieces())
      if (low_memory && !w.is_scale())
        model.weights().release(stored_tensor(model, piece, placed, rank));
    if (progress)
      progress(parameter.bytes());
  }
}

std::shared_ptr<const rank_weights>
rank_weights::load(const model_source &model, const compiled_steps &steps,
                   const hlo::placement &placed, std::int64_t rank,
                   std::shared_ptr<const shared_tables> tables,
                   const load_progress &progress, const weight_loading &how) {
  auto out = std::make_shared<rank_weights>();
  out->tables_ = std::move(tables);
  out->lay_out(steps);
  const bool known = how.artifacts && !how.artifacts->empty();
  const digest layout =
      known ? packed_layout(model, steps, placed, rank) : digest{};
  if (auto found =
          known ? how.artifacts->weights(layout, out->bytes_) : std::nullopt) {
    found->prefetch();
    out->file_ = std::move(*found);
    out->base_ = out->file_.bytes().data();
    if (progress)
      progress(out->bytes_);
    return out;
  }
  out->pack(model, steps, placed, rank, how.low_memory, progress);
  if (known)
    how.artifacts->keep_weights(layout, about(model, placed, rank),
                                out->memory_.bytes());
  return out;
}

const std::byte *rank_weights::at(std::int64_t parameter) const {
  if (const std::byte *table = tables_->find(parameter))
    return table;
  return base_ + offsets_.at(parameter);
}

} // namespace ganglion::runtime
