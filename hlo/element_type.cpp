#include "hlo/element_type.hpp"

#include <array>

namespace ganglion::hlo {

namespace {

enum class kind { integral, floating };

struct row {
  std::string_view text;
  std::size_t bytes;
  kind category;
};

constexpr row rows[] = {
#define ELEMENT_TYPE(name, text, bytes, category) {text, bytes, kind::category},
#include "hlo/element_type.def"
#undef ELEMENT_TYPE
};

const row &row_of(element_type type) { return rows[static_cast<int>(type)]; }

} // namespace

std::string_view to_string(element_type type) { return row_of(type).text; }

std::optional<element_type> element_type_from(std::string_view text) {
  for (std::size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].text == text)
      return static_cast<element_type>(i);
  return std::nullopt;
}

std::size_t byte_size(element_type type) { return row_of(type).bytes; }

bool is_floating(element_type type) {
  return row_of(type).category == kind::floating;
}

bool is_signed(element_type type) {
  return is_floating(type) || type == element_type::s8 ||
         type == element_type::s32 || type == element_type::s64;
}

} // namespace ganglion::hlo
