// The shape of a value: an array (element type, dimensions, layout) or a
// tuple of shapes.
#pragma once

#include "hlo/element_type.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::hlo {

/// A list of sizes, strides or dimension numbers.
using dims = std::vector<std::int64_t>;

struct shape {
  element_type type = element_type::f32;
  dims dimensions;
  /// Dimension numbers from fastest to slowest varying. Row-major throughout
  /// unless a caller sets it otherwise.
  dims minor_to_major;
  /// The elements of a tuple; an array has none.
  std::vector<shape> elements;
  bool tuple = false;

  std::int64_t rank() const {
    return static_cast<std::int64_t>(dimensions.size());
  }
  std::int64_t dim(std::int64_t i) const { return dimensions[i]; }
  /// Number of elements of an array (1 for a scalar).
  std::int64_t size() const;
  /// Bytes of an array, or of all elements of a tuple.
  std::size_t bytes() const;

  friend bool operator==(const shape &, const shape &) = default;
};

/// A row-major array.
shape array_shape(element_type type, dims dimensions);
shape scalar_shape(element_type type);
shape tuple_shape(std::vector<shape> elements);

/// The layout in which the last dimension varies fastest.
dims row_major(std::size_t rank);

/// Element strides of a dense row-major array.
dims row_major_strides(const dims &dimensions);

/// HLO text: "f32[2,3]{1,0}", or "f32[2,3]" without the layout.
std::string to_string(const shape &s, bool with_layout = true);

/// Limits that keep sizes computed from a well-formed shape within 64 bits.
inline constexpr std::int64_t max_elements = std::int64_t{1} << 46;
inline constexpr std::int64_t max_rank = 16;

/// Whether the dimensions are sizes within the limits above, the layout is a
/// permutation, and tuples nest at most 8 deep.
bool is_well_formed(const shape &s);

/// Same type and dimensions, whatever the layout.
bool compatible(const shape &a, const shape &b);

} // namespace ganglion::hlo
