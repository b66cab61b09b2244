// The methods of text that take it apart, and building blocks of the others.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

value split(rendering &run, const std::string &s, const arguments &given);
value reverse_split(rendering &run, const std::string &s,
                    const arguments &given);
value split_lines(rendering &run, const std::string &s, const arguments &given);
value partition(rendering &run, const std::string &s, const arguments &given);
value reverse_partition(rendering &run, const std::string &s,
                        const arguments &given);
value reverse_find(rendering &run, const std::string &s,
                   const arguments &given);
value reverse_index(rendering &run, const std::string &s,
                    const arguments &given);

/// `s` with at most `count` (all when negative) of `old` replaced.
std::string replaced(rendering &run, std::string_view s, std::string_view old,
                     std::string_view with, std::int64_t count);
/// `s` filled up to `width` characters at the chosen ends.
std::string padded(rendering &run, std::string_view s, std::int64_t width,
                   std::string_view fill, bool left, bool right);
/// Python's isupper and islower.
bool is_in_case(std::string_view s, bool upper);

} // namespace ganglion::runtime::chat
