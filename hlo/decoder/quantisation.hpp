// What a decoder keeps in fewer bits than its storage type.
#pragma once

#include <cstdint>
#include <string_view>

namespace ganglion::hlo {

/// How the matrices of the decoder layers are kept.
enum class quantisation {
  none,
  static_int8, ///< s8 with an f32 scale for every output; products as ever
  /// The same weights; products of rows that are quantised as they come, but
  /// for experts, whose products are as ever.
  int8_dynamic,
  /// Four bits with an f16 scale for every group of inputs of an output;
  /// products of quantised rows. Experts are as with int8_dynamic.
  int4,
};

constexpr std::string_view to_string(quantisation q) {
  switch (q) {
  case quantisation::static_int8:
    return "static_int8";
  case quantisation::int8_dynamic:
    return "int8_dynamic";
  case quantisation::int4:
    return "int4";
  default:
    return "none";
  }
}

/// Which matrices, and in which groups.
struct weight_quantisation {
  quantisation layers = quantisation::none;
  bool head = false;       ///< the output matrix as well, in the same way
  std::int64_t group = 32; ///< inputs that share a scale, with int4

  constexpr weight_quantisation() = default;
  constexpr weight_quantisation(quantisation q, bool with_head = false,
                                std::int64_t inputs = 32)
      : layers(q),
        head(with_head),
        group(inputs) {}

  bool on() const { return layers != quantisation::none; }
  bool operator==(const weight_quantisation &) const = default;
};

/// How the KV caches are kept.
enum class cache_quantisation {
  none,
  s8, ///< s8 with an f32 scale for every position and head
};

} // namespace ganglion::hlo
