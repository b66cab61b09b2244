#include "hlo/decoder/step_graph.hpp"

#include <map>
#include <string>

namespace ganglion::hlo {

namespace {

/// "layers.3.attention.key.bias" -> "layers.3.attention.qkv.bias"; empty for
/// weights that stay on their own.
std::string fused_name(const std::string &name) {
  for (const std::string part : {"query", "key", "value"}) {
    const std::string own = "attention." + part + ".";
    const auto at = name.find(own);
    if (at != std::string::npos)
      return std::string(name).replace(at, own.size(), "attention.qkv.");
  }
  return {};
}

} // namespace

std::vector<weight_parameter> fused_qkv(std::vector<weight_parameter> weights) {
  std::vector<weight_parameter> out;
  std::map<std::string, std::size_t> places;
  for (auto &w : weights) {
    const std::string name = fused_name(w.name);
    if (name.empty()) {
      out.push_back(std::move(w));
      continue;
    }
    const auto [place, first] = places.try_emplace(name, out.size());
    if (first) {
      out.push_back(w);
      out.back().name = name;
      out.back().whole[0] = 0;
    }
    weight_parameter &fused = out[place->second];
    fused.whole[0] += w.whole[0];
    fused.parts.push_back(std::move(w));
  }
  return out;
}

} // namespace ganglion::hlo
