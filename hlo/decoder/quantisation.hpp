// What a decoder keeps in fewer bits than its storage type.
#pragma once

namespace ganglion::hlo {

/// How the matrices of the decoder layers are kept.
enum class quantisation {
  none,
  static_int8, ///< s8 with an f32 scale for every output; products as ever
};

/// How the KV caches are kept.
enum class cache_quantisation {
  none,
  s8, ///< s8 with an f32 scale for every position and head
};

} // namespace ganglion::hlo
