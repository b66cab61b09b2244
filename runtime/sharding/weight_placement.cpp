#include "runtime/sharding/weight_placement.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/sharding_settings.hpp"
#include "runtime/checkpoint/weight_type.hpp"

namespace ganglion::runtime {

namespace {

using index_list = std::vector<std::int64_t>;

index_list consecutive(std::int64_t first, std::int64_t count) {
  index_list out(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = first + i;
  return out;
}

/// A share of `size` items in parts of `part`; what lies past the end is
/// padding.
index_list padded_share(std::int64_t size, std::int64_t part,
                        std::int64_t rank) {
  index_list out(static_cast<std::size_t>(part), -1);
  for (std::int64_t i = 0; i < part && rank * part + i < size; ++i)
    out[i] = rank * part + i;
  return out;
}

/// The elements of whole heads, `width` each; -1 for those of padding.
index_list of_heads(const index_list &heads, std::int64_t width) {
  index_list out;
  for (const std::int64_t head : heads)
    for (std::int64_t d = 0; d < width; ++d)
      out.push_back(head < 0 ? -1 : head * width + d);
  return out;
}

/// Indices along the split dimension.
index_list share_of(const hlo::decoder_spec &spec, hlo::split how,
                    std::int64_t size, const hlo::placement &placed,
                    std::int64_t rank) {
  switch (how) {
  case hlo::split::none:
  case hlo::split::experts:
    return consecutive(0, size);
  case hlo::split::heads:
  case hlo::split::heads_in:
    return of_heads(placed.heads_of(rank), spec.head_dim);
  case hlo::split::per_head:
    return placed.attended_heads() == spec.heads ? consecutive(0, size)
                                                 : placed.heads_of(rank);
  case hlo::split::kv_heads:
    return placed.kv_columns_of(rank);
  case hlo::split::mlp:
  case hlo::split::mlp_in:
    return padded_share(size, placed.mlp(), rank);
  case hlo::split::vocabulary:
    return padded_share(size, placed.vocabulary(), rank);
  }
  return {};
}

hlo::element_type element_type_of(const tensor_view &tensor) {
  if (const auto type = weight_type(tensor.dtype))
    return *type;
  throw error(error_code::unsupported,
              "weights of type " + std::string(to_string(tensor.dtype)) +
                  "; accepted: " + weight_type_names,
              tensor.name);
}

/// Where output `i` of a weight is in the stored tensor.
std::int64_t stored_output(const tensor_origin &origin, std::int64_t i,
                           std::int64_t head_dim) {
  if (origin.head_stride > 0)
    i = i / head_dim * origin.head_stride + i % head_dim;
  return origin.first_output + i;
}

/// The model's weight behind a parameter of `rank`.
located_weight locate_on(const model_source &model,
                         const hlo::weight_parameter &w,
                         const hlo::placement &placed, std::int64_t rank) {
  if (w.placed != hlo::split::experts || model.presharded())
    return model.locate(w, rank);
  hlo::weight_parameter mine = w;
  mine.name = name_for_expert(w, w.expert + rank * placed.experts());
  return model.locate(mine);
}

bool splits_inputs(hlo::split how) {
  return how == hlo::split::heads_in || how == hlo::split::mlp_in;
}

/// A part that a checkpoint keeps for each rank, as it is.
neuron::weight_source ready_part(const model_source &model,
                                 const hlo::weight_parameter &w,
                                 const hlo::placement &placed,
                                 std::int64_t rank) {
  check_sharding(placed.options(), *model.presharded(), model.directory());
  const auto tensor = model.locate(w, rank).tensor;
  neuron::weight_source s;
  s.type = element_type_of(tensor);
  s.data = tensor.bytes.data();
  const std::int64_t width = tensor.dims.size() > 1 ? tensor.dims[1] : 1;
  s.rows = consecutive(0, tensor.dims[0]);
  s.columns = consecutive(0, width);
  s.row_stride = width;
  return s;
}

} // namespace

neuron::weight_source place_weight(const model_source &model,
                                   const hlo::weight_parameter &w,
                                   const hlo::placement &placed,
                                   std::int64_t rank) {
  if (model.presharded() && w.values.empty())
    return ready_part(model, w, placed, rank);
  const auto [tensor, origin] = locate_on(model, w, placed, rank);
  const bool inputs = splits_inputs(w.placed);
  const bool matrix = w.whole.size() == 2;
  neuron::weight_source s;
  s.type = element_type_of(tensor);
  s.data = tensor.bytes.data();
  const auto whole_rows = consecutive(0, w.whole[0]);
  s.rows = inputs ? whole_rows
                  : share_of(model.spec(), w.placed, w.whole[0], placed, rank);
  s.columns = !matrix ? index_list{0}
              : inputs
                  ? share_of(model.spec(), w.placed, w.whole[1], placed, rank)
                  : consecutive(0, w.whole[1]);
  for (auto &row : s.rows)
    if (row >= 0)
      row = stored_output(origin, row, model.spec().head_dim);
  const std::int64_t row_width = tensor.dims.size() > 1 ? tensor.dims[1] : 1;
  s.row_stride = matrix && origin.transposed ? 1 : row_width;
  s.column_stride = matrix && origin.transposed ? row_width : 1;
  return s;
}

std::vector<neuron::weight_source> place_pieces(const model_source &model,
                                                const hlo::weight_parameter &w,
                                                const hlo::placement &placed,
                                                std::int64_t rank) {
  std::vector<neuron::weight_source> out;
  for (const auto &piece : w.pieces())
    out.push_back(place_weight(model, piece, placed, rank));
  return out;
}

tensor_view stored_tensor(const model_source &model,
                          const hlo::weight_parameter &w,
                          const hlo::placement &placed, std::int64_t rank) {
  return locate_on(model, w, placed, rank).tensor;
}

neuron::weight_source place_whole_rows(const model_source &model,
                                       const hlo::weight_parameter &w,
                                       const hlo::placement &placed,
                                       std::int64_t rank) {
  neuron::weight_source s = place_weight(model, w, placed, rank);
  s.columns = consecutive(0, w.whole[1]);
  return s;
}

} // namespace ganglion::runtime
