#include "runtime/models/tensor_names.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

std::string tensor_names::of(const hlo::decoder_spec &spec, std::int64_t layer,
                             const std::string &part) const {
  const auto dot = part.rfind('.');
  std::string name = part.substr(0, dot), suffix = part.substr(dot);
  if (part.starts_with("embedding.")) { // "embedding.tokens" has no suffix
    name = part;
    suffix = ".weight";
  } else if (part == "head.weight" && spec.tied_head) {
    name = "embedding.tokens";
  }
  const auto &table = layer < 0 ? outside : inside;
  const auto found = table.find(name);
  if (found == table.end())
    throw error(error_code::internal, "no checkpoint name for " + part,
                spec.family);
  const std::string prefix =
      layer < 0 ? "" : layer_prefix + std::to_string(layer) + ".";
  return prefix + found->second + suffix;
}

int fused_part(const std::string &part) {
  const std::string name = part.substr(0, part.rfind('.'));
  return name == "attention.query"   ? 0
         : name == "attention.key"   ? 1
         : name == "attention.value" ? 2
                                     : -1;
}

tensor_origin interleaved_origin(const tensor_names &names,
                                 const hlo::decoder_spec &spec,
                                 std::int64_t layer, const std::string &part) {
  const std::string name = names.of(spec, layer, part);
  if (const int which = fused_part(part); which >= 0)
    return interleaved_heads(name, which, spec);
  return {name};
}

tensor_origin interleaved_heads(const std::string &name, int which,
                                const hlo::decoder_spec &spec) {
  return {.name = name,
          .first_output = which * spec.head_dim,
          .fused_outputs = 3 * spec.heads * spec.head_dim,
          .head_stride = 3 * spec.head_dim};
}

} // namespace ganglion::runtime
