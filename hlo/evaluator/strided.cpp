#include "hlo/evaluator/strided.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::hlo {

namespace {

void check_rank(const dims &dimensions) {
  if (static_cast<std::int64_t>(dimensions.size()) > max_rank)
    throw error(error_code::unsupported,
                "at most 16 dimensions are accepted, not " +
                    std::to_string(dimensions.size()),
                "evaluator");
}

} // namespace

numbers dense_strides(const dims &dimensions) {
  check_rank(dimensions);
  numbers out{};
  std::int64_t stride = 1;
  for (std::size_t d = dimensions.size(); d-- > 0;) {
    out[d] = stride;
    stride *= dimensions[d];
  }
  return out;
}

box box_of(const dims &sizes) {
  check_rank(sizes);
  box out;
  out.rank = sizes.size();
  for (std::size_t d = 0; d < out.rank; ++d)
    out.size[d] = sizes[d];
  return out;
}

namespace {

template <class T>
void copy_line(const box &b, const T *from, T *to) {
  const std::size_t last = b.rank - 1;
  const auto n = b.size[last], step = b.from_stride[last],
             advance = b.to_stride[last];
  if (step == 1 && advance == 1) {
    std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(T));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i)
    to[i * advance] = from[i * step];
}

template <class T>
void copy_dim(const box &b, std::size_t d, const T *from, T *to) {
  if (d + 1 == b.rank)
    return copy_line(b, from, to);
  for (std::int64_t i = 0; i < b.size[d]; ++i)
    copy_dim(b, d + 1, from + i * b.from_stride[d], to + i * b.to_stride[d]);
}

template <class T>
void copy_typed(const box &b, const std::byte *from, std::byte *to) {
  const T *source = reinterpret_cast<const T *>(from) + b.from_offset;
  T *target = reinterpret_cast<T *>(to) + b.to_offset;
  if (b.rank == 0)
    *target = *source;
  else
    copy_dim(b, 0, source, target);
}

} // namespace

void copy_box(const box &b, const std::byte *from, std::byte *to,
              std::size_t element_bytes) {
  for (std::size_t d = 0; d < b.rank; ++d)
    if (b.size[d] <= 0)
      return;
  switch (element_bytes) {
  case 1:
    return copy_typed<std::uint8_t>(b, from, to);
  case 2:
    return copy_typed<std::uint16_t>(b, from, to);
  case 4:
    return copy_typed<std::uint32_t>(b, from, to);
  default:
    return copy_typed<std::uint64_t>(b, from, to);
  }
}

} // namespace ganglion::hlo
