// What a decoder keeps in fewer bits than its storage type.
#pragma once

#include <string_view>

namespace ganglion::hlo {

/// How the matrices of the decoder layers are kept.
enum class quantisation {
  none,
  static_int8, ///< s8 with an f32 scale for every output; products as ever
  /// The same weights; products of rows that are quantised as they come, but
  /// for experts, whose products are as ever.
  int8_dynamic,
};

constexpr std::string_view to_string(quantisation q) {
  switch (q) {
  case quantisation::static_int8:
    return "static_int8";
  case quantisation::int8_dynamic:
    return "int8_dynamic";
  default:
    return "none";
  }
}

/// How the KV caches are kept.
enum class cache_quantisation {
  none,
  s8, ///< s8 with an f32 scale for every position and head
};

} // namespace ganglion::hlo
