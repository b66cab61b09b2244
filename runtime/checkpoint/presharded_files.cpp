#include "runtime/checkpoint/presharded_files.hpp"

#include <utility>

namespace ganglion::runtime {

namespace {

constexpr std::string_view layer_prefix = "layers.";

/// "layers.3.mlp.up.weight" -> ("3", "mlp.up.weight"); ("", name) outside.
std::pair<std::string_view, std::string_view> cut(std::string_view name) {
  if (!name.starts_with(layer_prefix))
    return {{}, name};
  const auto dot = name.find('.', layer_prefix.size());
  return {name.substr(layer_prefix.size(), dot - layer_prefix.size()),
          name.substr(dot + 1)};
}

} // namespace

std::string presharded_layer_file(std::int64_t layer) {
  return "decoder_layer_" + std::to_string(layer) + ".safetensors";
}

std::string presharded_file(std::string_view name) {
  const auto layer = cut(name).first;
  return layer.empty() ? presharded_head_file
                       : "decoder_layer_" + std::string(layer) + ".safetensors";
}

std::string presharded_key(std::string_view name, std::int64_t rank) {
  return std::string(cut(name).second) + "*" + std::to_string(rank);
}

} // namespace ganglion::runtime
