#include "runtime/checkpoint/tensor_dtype.hpp"

#include <array>

namespace ganglion::runtime {

namespace {

struct row {
  std::string_view name;
  std::size_t size;
};

/// Indexed by the enumerator.
constexpr std::array<row, 15> table{{{"F64", 8},
                                     {"F32", 4},
                                     {"F16", 2},
                                     {"BF16", 2},
                                     {"F8_E5M2", 1},
                                     {"F8_E4M3", 1},
                                     {"I64", 8},
                                     {"I32", 4},
                                     {"I16", 2},
                                     {"I8", 1},
                                     {"U64", 8},
                                     {"U32", 4},
                                     {"U16", 2},
                                     {"U8", 1},
                                     {"BOOL", 1}}};

} // namespace

std::size_t size_of(tensor_dtype dtype) {
  return table[static_cast<std::size_t>(dtype)].size;
}

std::string_view to_string(tensor_dtype dtype) {
  return table[static_cast<std::size_t>(dtype)].name;
}

std::optional<tensor_dtype> find_dtype(std::string_view name) {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i].name == name)
      return static_cast<tensor_dtype>(i);
  return std::nullopt;
}

std::string dtype_names() {
  std::string out;
  for (const auto &[name, size] : table)
    out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

} // namespace ganglion::runtime
