// A tokenizer for synthetic models: one token per byte, and as many made-up
// words as fill the vocabulary, so that a prompt of n letters has n tokens.
#pragma once

#include <cstdint>
#include <string>

namespace ganglion::benchmarks {

/// Least vocabulary that has all bytes.
inline constexpr std::int64_t least_byte_vocabulary = 256;

/// The text of a tokenizer.json with ids 0..vocab-1; `vocab` must be at least
/// `least_byte_vocabulary`.
std::string synthetic_tokenizer(std::int64_t vocab);

} // namespace ganglion::benchmarks
