// A value in host memory: a shape and its bytes, dense and row-major. Views
// borrow memory; literals own it.
#pragma once

#include "hlo/shape.hpp"
#include "hlo/support/aligned_buffer.hpp"

#include <cstring>
#include <memory>
#include <span>

namespace ganglion::hlo {

/// One element read from `data` at index `i`, exact for every type but 64-bit
/// integers beyond 2^53 (use the integer form for those).
double read_real(element_type type, const std::byte *data, std::int64_t i);
std::int64_t read_integer(element_type type, const std::byte *data,
                          std::int64_t i);
/// Writes one element, rounding to nearest even for floating types, wrapping
/// for integers; a real written to an integer type truncates and saturates.
void write_real(element_type type, std::byte *data, std::int64_t i,
                double value);
void write_integer(element_type type, std::byte *data, std::int64_t i,
                   std::int64_t value);

/// An array (never a tuple) in memory that somebody else owns.
struct literal_view {
  const shape *form = nullptr;
  std::byte *data = nullptr;

  double real(std::int64_t i) const { return read_real(form->type, data, i); }
  std::int64_t integer(std::int64_t i) const {
    return read_integer(form->type, data, i);
  }
  void set_real(std::int64_t i, double v) const {
    write_real(form->type, data, i, v);
  }
  void set_integer(std::int64_t i, std::int64_t v) const {
    write_integer(form->type, data, i, v);
  }
};

/// An owned value; a tuple owns one literal per element.
class literal {
public:
  literal() = default;
  /// Zeros of the given shape.
  explicit literal(shape s);

  static literal scalar(element_type type, double value);
  /// A rank-1 or shaped array from numbers; the count must match.
  static literal from_reals(shape s, std::span<const double> values);
  static literal from_floats(dims dimensions, std::span<const float> values);
  static literal from_ints(dims dimensions,
                           std::span<const std::int32_t> values);
  /// A tuple made of `elements`.
  static literal tuple(std::vector<literal> elements);

  const shape &form() const { return shape_; }
  literal_view view() const {
    return {&shape_, const_cast<std::byte *>(buffer_.data())};
  }
  std::span<std::byte> bytes() { return buffer_.bytes(); }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }
  std::vector<literal> &elements() { return elements_; }
  const std::vector<literal> &elements() const { return elements_; }

  double real(std::int64_t i) const { return view().real(i); }
  std::int64_t integer(std::int64_t i) const { return view().integer(i); }
  void set_real(std::int64_t i, double v) { view().set_real(i, v); }
  void set_integer(std::int64_t i, std::int64_t v) { view().set_integer(i, v); }
  literal clone() const;

private:
  shape shape_;
  aligned_buffer buffer_;
  std::vector<literal> elements_;
};

} // namespace ganglion::hlo
