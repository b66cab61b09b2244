// Typed access to elements: each element type has a storage type and a wider
// type in which the evaluator computes.
#pragma once

#include "hlo/literal.hpp"
#include "hlo/support/float_types.hpp"
#include "hlo/support/rounding.hpp"

#include <type_traits>

namespace ganglion::hlo {

/// Storage of a pred: zero is false.
struct predicate {
  std::uint8_t bits = 0;
};

template <class T>
inline constexpr bool is_real =
    std::is_floating_point_v<T> || std::is_same_v<T, bfloat16> ||
    std::is_same_v<T, float16>;

/// What elements of storage type T are computed in: double for floating
/// types, 64 bits of the same signedness for integers.
template <class T>
using compute_type = std::conditional_t<
    is_real<T>, double,
    std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

template <class T>
compute_type<T> load(const T &stored) {
  if constexpr (std::is_same_v<T, predicate>)
    return stored.bits != 0;
  else if constexpr (is_real<T> && !std::is_floating_point_v<T>)
    return to_float(stored);
  else
    return static_cast<compute_type<T>>(stored);
}

/// Rounds once to nearest even (floating), wraps (integers), or tests for
/// nonzero (pred).
template <class T>
T store(compute_type<T> value) {
  if constexpr (std::is_same_v<T, predicate>)
    return {static_cast<std::uint8_t>(value != 0)};
  else if constexpr (std::is_same_v<T, bfloat16>)
    return to_bfloat16(round_to_odd(value));
  else if constexpr (std::is_same_v<T, float16>)
    return to_float16(round_to_odd(value));
  else
    return static_cast<T>(value);
}

template <class T>
T *elements(const literal_view &v) {
  return reinterpret_cast<T *>(v.data);
}

/// Calls `use` with std::type_identity of the storage type.
template <class F>
decltype(auto) visit(element_type type, F &&use) {
  switch (type) {
  case element_type::pred:
    return use(std::type_identity<predicate>{});
  case element_type::s8:
    return use(std::type_identity<std::int8_t>{});
  case element_type::s32:
    return use(std::type_identity<std::int32_t>{});
  case element_type::s64:
    return use(std::type_identity<std::int64_t>{});
  case element_type::u8:
    return use(std::type_identity<std::uint8_t>{});
  case element_type::u32:
    return use(std::type_identity<std::uint32_t>{});
  case element_type::u64:
    return use(std::type_identity<std::uint64_t>{});
  case element_type::f16:
    return use(std::type_identity<float16>{});
  case element_type::bf16:
    return use(std::type_identity<bfloat16>{});
  case element_type::f32:
    return use(std::type_identity<float>{});
  default:
    return use(std::type_identity<double>{});
  }
}

} // namespace ganglion::hlo
