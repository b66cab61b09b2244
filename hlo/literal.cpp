#include "hlo/literal.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/float_types.hpp"
#include "hlo/support/rounding.hpp"

namespace ganglion::hlo {

namespace {

template <class T>
T &at(std::byte *data, std::int64_t i) {
  return reinterpret_cast<T *>(data)[i];
}

template <class T>
T at(const std::byte *data, std::int64_t i) {
  return reinterpret_cast<const T *>(data)[i];
}

} // namespace

double read_real(element_type type, const std::byte *data, std::int64_t i) {
  switch (type) {
  case element_type::f32:
    return at<float>(data, i);
  case element_type::f64:
    return at<double>(data, i);
  case element_type::bf16:
    return to_float(at<bfloat16>(data, i));
  case element_type::f16:
    return to_float(at<float16>(data, i));
  case element_type::u64:
    return static_cast<double>(at<std::uint64_t>(data, i));
  default:
    return static_cast<double>(read_integer(type, data, i));
  }
}

std::int64_t read_integer(element_type type, const std::byte *data,
                          std::int64_t i) {
  switch (type) {
  case element_type::pred:
  case element_type::u8:
    return at<std::uint8_t>(data, i);
  case element_type::s8:
    return at<std::int8_t>(data, i);
  case element_type::s32:
    return at<std::int32_t>(data, i);
  case element_type::u32:
    return at<std::uint32_t>(data, i);
  case element_type::s64:
  case element_type::u64:
    return at<std::int64_t>(data, i);
  default:
    return saturated<std::int64_t>(read_real(type, data, i));
  }
}

void write_real(element_type type, std::byte *data, std::int64_t i,
                double value) {
  switch (type) {
  case element_type::f32:
    at<float>(data, i) = static_cast<float>(value);
    return;
  case element_type::f64:
    at<double>(data, i) = value;
    return;
  case element_type::bf16:
    at<bfloat16>(data, i) = to_bfloat16(round_to_odd(value));
    return;
  case element_type::f16:
    at<float16>(data, i) = to_float16(round_to_odd(value));
    return;
  case element_type::pred:
    at<std::uint8_t>(data, i) = value != 0;
    return;
  case element_type::u8:
    at<std::uint8_t>(data, i) = saturated<std::uint8_t>(value);
    return;
  case element_type::s8:
    at<std::int8_t>(data, i) = saturated<std::int8_t>(value);
    return;
  case element_type::s32:
    at<std::int32_t>(data, i) = saturated<std::int32_t>(value);
    return;
  case element_type::u32:
    at<std::uint32_t>(data, i) = saturated<std::uint32_t>(value);
    return;
  case element_type::s64:
    at<std::int64_t>(data, i) = saturated<std::int64_t>(value);
    return;
  case element_type::u64:
    at<std::uint64_t>(data, i) = saturated<std::uint64_t>(value);
    return;
  }
}

void write_integer(element_type type, std::byte *data, std::int64_t i,
                   std::int64_t value) {
  switch (type) {
  case element_type::pred:
    at<std::uint8_t>(data, i) = value != 0;
    return;
  case element_type::u8:
  case element_type::s8:
    at<std::uint8_t>(data, i) = static_cast<std::uint8_t>(value);
    return;
  case element_type::s32:
  case element_type::u32:
    at<std::uint32_t>(data, i) = static_cast<std::uint32_t>(value);
    return;
  case element_type::s64:
  case element_type::u64:
    at<std::int64_t>(data, i) = value;
    return;
  case element_type::f64:
    at<double>(data, i) = static_cast<double>(value);
    return;
  default:
    write_real(type, data, i, sticky_double(value));
  }
}

literal::literal(shape s) : shape_(std::move(s)) {
  if (!shape_.tuple)
    buffer_ = aligned_buffer(shape_.bytes());
  for (const auto &element : shape_.elements)
    elements_.emplace_back(element);
}

literal literal::scalar(element_type type, double value) {
  literal out(scalar_shape(type));
  out.set_real(0, value);
  return out;
}

literal literal::from_reals(shape s, std::span<const double> values) {
  literal out(std::move(s));
  require(out.form().size() == static_cast<std::int64_t>(values.size()),
          "literal: value count differs from the shape's");
  for (std::size_t i = 0; i < values.size(); ++i)
    out.set_real(static_cast<std::int64_t>(i), values[i]);
  return out;
}

literal literal::from_floats(dims dimensions, std::span<const float> values) {
  return from_reals(array_shape(element_type::f32, std::move(dimensions)),
                    std::vector<double>(values.begin(), values.end()));
}

literal literal::from_ints(dims dimensions,
                           std::span<const std::int32_t> values) {
  return from_reals(array_shape(element_type::s32, std::move(dimensions)),
                    std::vector<double>(values.begin(), values.end()));
}

literal literal::tuple(std::vector<literal> elements) {
  literal out;
  out.shape_.tuple = true;
  for (const auto &element : elements)
    out.shape_.elements.push_back(element.form());
  out.elements_ = std::move(elements);
  return out;
}

literal literal::clone() const {
  literal out(shape_);
  if (buffer_.size() > 0)
    std::memcpy(out.buffer_.data(), buffer_.data(), buffer_.size());
  for (std::size_t i = 0; i < elements_.size(); ++i)
    out.elements_[i] = elements_[i].clone();
  return out;
}

} // namespace ganglion::hlo
