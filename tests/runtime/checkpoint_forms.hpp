// The same checkpoint in every form that is read, made from a golden's
// safetensors file.
#pragma once

#include "runtime/checkpoint/safetensors_writer.hpp"
#include "runtime/checkpoint/save_split.hpp"
#include "runtime/checkpoint/torch_symbol.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/sharding/presharded.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"

#include <fstream>

namespace ganglion::testing {

enum class stored_form {
  safetensors,
  safetensors_shards,
  torch,
  torch_shards,
  split,
  presharded,
};

namespace detail {

using tensor_list = std::vector<runtime::tensor_view>;

inline std::vector<std::int64_t>
row_major(const std::vector<std::int64_t> &dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    out[i - 1] = out[i] * dims[i];
  return out;
}

/// A state dict as torch.save writes it.
inline void write_torch(const std::string &path, const tensor_list &tensors) {
  std::string items;
  std::vector<zip_entry> entries(1);
  for (const auto &tensor : tensors) {
    const auto key = std::to_string(entries.size() - 1);
    items +=
        text_of(tensor.name) +
        tensor_of({tensor.dims, row_major(tensor.dims), 0,
                   std::string(runtime::storage_class(tensor.dtype)),
                   static_cast<std::int64_t>(tensor.element_count()), key});
    entries.push_back({"m/data/" + key,
                       {reinterpret_cast<const char *>(tensor.bytes.data()),
                        tensor.bytes.size()}});
  }
  entries[0] = {"m/data.pkl", dict_of(items)};
  std::ofstream(path, std::ios::binary) << zip_of(entries);
}

/// Two files and their index.
template <class Write>
void write_shards(const std::string &directory, const std::string &whole,
                  const std::string &ending, const tensor_list &tensors,
                  Write write) {
  json::writer index;
  index.begin_object().key("weight_map").begin_object();
  const auto half = tensors.size() / 2;
  for (const bool second : {false, true}) {
    const auto file = std::string(second ? "2" : "1") + "-of-2" + ending;
    const tensor_list part(tensors.begin() + (second ? half : 0),
                           second ? tensors.end() : tensors.begin() + half);
    for (const auto &tensor : part)
      index.key(tensor.name).string(file);
    write(directory + "/" + file, part);
  }
  index.end_object().end_object();
  std::ofstream(directory + "/" + whole + ".index.json") << index.text();
}

} // namespace detail

/// Writes the model in `from`, of one safetensors file, to the empty directory
/// `to`; `sharding` is for the presharded form.
inline void write_form(stored_form form, const std::string &from,
                       const std::string &to,
                       const hlo::sharding_options &sharding) {
  if (form == stored_form::split)
    return runtime::save_pretrained_split(from, to);
  if (form == stored_form::presharded)
    return runtime::save_presharded(*runtime::model_source::open(from),
                                    sharding, to);
  runtime::copy_model_files(from, to);
  const auto file =
      runtime::safetensors_file::open(from + "/model.safetensors");
  const auto &tensors = file.tensors();
  const auto safe = [](const auto &path, const auto &part) {
    runtime::write_safetensors(path, part);
  };
  switch (form) {
  case stored_form::safetensors:
    return safe(to + "/model.safetensors", tensors);
  case stored_form::safetensors_shards:
    return detail::write_shards(to, "model.safetensors", ".safetensors",
                                tensors, safe);
  case stored_form::torch:
    return detail::write_torch(to + "/pytorch_model.bin", tensors);
  default:
    return detail::write_shards(to, "pytorch_model.bin", ".bin", tensors,
                                detail::write_torch);
  }
}

} // namespace ganglion::testing
