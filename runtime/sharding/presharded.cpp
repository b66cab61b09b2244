#include "runtime/sharding/presharded.hpp"

#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/presharded_files.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/checkpoint/sharding_settings.hpp"
#include "runtime/json/edit.hpp"
#include "runtime/sharding/weight_placement.hpp"

#include <tbb/parallel_for.h>

#include <cstring>
#include <map>

namespace ganglion::runtime {

namespace {

/// One rank's part of one weight.
struct part {
  hlo::weight_parameter weight;
  std::int64_t rank = 0;
};

/// The parts of each file, by its name.
std::map<std::string, std::vector<part>>
parts_by_file(const model_source &model, const hlo::placement &placed) {
  std::map<std::string, std::vector<part>> out;
  for (const auto &w : hlo::weights_of_rank(model.spec(), placed.options())) {
    if (!w.values.empty())
      continue; // follows from the config
    const auto copies = w.placed == hlo::split::none ? 1 : placed.tp_degree();
    for (std::int64_t rank = 0; rank < copies; ++rank)
      out[presharded_file(w.name)].push_back({w, rank});
  }
  return out;
}

hlo::dims dims_of(const part &p, const neuron::weight_source &source) {
  hlo::dims out{static_cast<std::int64_t>(source.rows.size())};
  if (p.weight.whole.size() > 1)
    out.push_back(static_cast<std::int64_t>(source.columns.size()));
  return out;
}

/// The part's elements row by row, padding as zeros.
std::vector<std::byte> elements_of(const neuron::weight_source &s) {
  const std::size_t element = byte_size(s.type);
  const std::size_t width = s.columns.size();
  std::vector<std::byte> out(s.rows.size() * width * element);
  tbb::parallel_for(std::size_t{0}, s.rows.size(), [&](std::size_t n) {
    if (s.rows[n] < 0)
      return;
    for (std::size_t k = 0; k < width; ++k)
      if (s.columns[k] >= 0)
        std::memcpy(out.data() + (n * width + k) * element,
                    s.data + (s.rows[n] * s.row_stride +
                              s.columns[k] * s.column_stride) *
                                 static_cast<std::int64_t>(element),
                    element);
  });
  return out;
}

void write_parts(const std::string &path, const model_source &model,
                 const hlo::placement &placed, const std::vector<part> &parts) {
  std::vector<tensor_spec> tensors;
  for (const part &p : parts)
    tensors.push_back(
        {presharded_key(p.weight.name, p.rank),
         stored_tensor(model, p.weight, placed, p.rank).dtype,
         dims_of(p, place_weight(model, p.weight, placed, p.rank))});
  safetensors_writer writer(path, std::move(tensors), {{"format", "pt"}});
  for (std::size_t i = 0; i < parts.size(); ++i)
    writer.write(i, 0,
                 elements_of(place_weight(model, parts[i].weight, placed,
                                          parts[i].rank)));
  writer.commit();
}

} // namespace

void save_presharded(const model_source &model,
                     const hlo::sharding_options &sharding,
                     const std::string &directory) {
  const hlo::placement placed(model.spec(), sharding);
  copy_model_files(model.directory(), directory);
  for (const auto &[file, parts] : parts_by_file(model, placed))
    write_parts(directory + "/" + file, model, placed, parts);
  const auto config = json::document::load(model.directory() + "/config.json");
  write_atomically(
      directory + "/config.json",
      json::with_members(config.root(),
                         {{"is_presharded_checkpoint", "true"},
                          {"presharded", sharding_json(sharding)}}));
}

} // namespace ganglion::runtime
