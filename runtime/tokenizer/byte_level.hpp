// GPT-2's byte alphabet: each of the 256 bytes is written as one printable
// character, so that a vocabulary of strings can hold any bytes.
#pragma once

#include <string>
#include <string_view>

namespace ganglion::runtime {

/// Every byte of `text` as its character, in UTF-8.
std::string bytes_to_characters(std::string_view text);

/// Appends the bytes that the characters of `token` stand for. A token with a
/// character outside the alphabet stands for its own UTF-8 bytes.
void append_token_bytes(std::string &out, std::string_view token);

} // namespace ganglion::runtime
