// The element types of arrays, their HLO names and sizes: one table.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ganglion::hlo {

enum class element_type {
#define ELEMENT_TYPE(name, text, bytes, kind) name,
#include "hlo/element_type.def"
#undef ELEMENT_TYPE
};

std::string_view to_string(element_type type);
std::optional<element_type> element_type_from(std::string_view text);

/// Size of one element in bytes.
std::size_t byte_size(element_type type);
bool is_floating(element_type type);
bool is_signed(element_type type);

} // namespace ganglion::hlo
