// Names of the presharded form of a checkpoint: one file per layer, keys that
// end in the rank.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::runtime {

/// What is in no layer.
inline constexpr const char *presharded_head_file = "DecoderLMHead.safetensors";

std::string presharded_layer_file(std::int64_t layer);

/// The file of the weight called `name`, "layers.3.mlp.up.weight" in ours.
std::string presharded_file(std::string_view name);
/// Its key in there: without the layer, and with the rank: "mlp.up.weight*1".
std::string presharded_key(std::string_view name, std::int64_t rank);

} // namespace ganglion::runtime
