#include "neuron/cpu/isa.hpp"

#include "hlo/support/error.hpp"

#include <cstdlib>
#include <string>

namespace ganglion::neuron {

std::string_view to_string(isa set) {
  switch (set) {
  case isa::portable:
    return "portable";
  case isa::avx2:
    return "avx2";
  case isa::avx512:
    return "avx512";
  case isa::avx512_bf16:
    return "avx512_bf16";
  }
  return "portable";
}

std::vector<isa> available_isas() {
  std::vector<isa> out{isa::portable};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    out.push_back(isa::avx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vnni")) {
    out.push_back(isa::avx512);
    if (__builtin_cpu_supports("avx512bf16"))
      out.push_back(isa::avx512_bf16);
  }
  return out;
}

isa isa_named(std::string_view name) {
  const auto available = available_isas();
  if (name.empty())
    return available.back();
  std::string accepted;
  for (const isa set : available) {
    if (to_string(set) == name)
      return set;
    accepted += (accepted.empty() ? "" : ", ") + std::string(to_string(set));
  }
  throw error(
      error_code::invalid_argument,
      "'" + std::string(name) +
          "' is not an instruction set of this machine; accepted: " + accepted,
      "environment", "GANGLION_ISA");
}

isa selected_isa() {
  static const isa chosen = [] {
    const char *named = std::getenv("GANGLION_ISA");
    return isa_named(named ? named : "");
  }();
  return chosen;
}

} // namespace ganglion::neuron
