#include "hlo/proto/shape_wire.hpp"

#include <algorithm>
#include <iterator>

namespace ganglion::hlo::wire {

namespace {

/// XLA's PrimitiveType.
struct primitive {
  element_type type;
  std::int32_t number;
};

constexpr primitive primitives[] = {
    {element_type::pred, 1}, {element_type::s8, 2},    {element_type::s32, 4},
    {element_type::s64, 5},  {element_type::u8, 6},    {element_type::u32, 8},
    {element_type::u64, 9},  {element_type::f16, 10},  {element_type::f32, 11},
    {element_type::f64, 12}, {element_type::bf16, 16},
};
constexpr std::int32_t tuple_number = 13;

void read_array(const ShapeProto &from, shape &to, const std::string &where) {
  const auto found =
      std::find_if(std::begin(primitives), std::end(primitives),
                   [&](auto &p) { return p.number == from.element_type(); });
  check(found != std::end(primitives),
        "element type " + std::to_string(from.element_type()) +
            " is not one that we have",
        where);
  to = array_shape(found->type, got(from.dimensions()));
  if (!from.has_layout())
    return;
  const LayoutProto &layout = from.layout();
  check(layout.tiles().empty() && layout.element_size_in_bits() == 0 &&
            layout.memory_space() == 0 &&
            layout.tail_padding_alignment_in_elements() <= 1 &&
            std::all_of(layout.dim_level_types().begin(),
                        layout.dim_level_types().end(),
                        [](auto kind) { return kind == 0; }),
        "only dense layouts without tiles are accepted", where);
  to.minor_to_major = got(layout.minor_to_major());
}

shape read(const ShapeProto &from, const std::string &where, int depth) {
  check(depth <= 8, "tuples nest too deeply", where);
  for (const bool dynamic : from.is_dynamic_dimension())
    check(!dynamic, "dynamic dimensions are not supported", where);
  shape out;
  if (from.element_type() != tuple_number) {
    read_array(from, out, where);
    return out;
  }
  check(from.dimensions().empty(), "a tuple has no dimensions", where);
  for (const ShapeProto &element : from.tuple_shapes())
    out.elements.push_back(read(element, where, depth + 1));
  return tuple_shape(std::move(out.elements));
}

/// Elements of type T stored as numbers.
template <class T, class To>
void write_numbers(const literal &from, To *to) {
  const auto *data = reinterpret_cast<const T *>(from.bytes().data());
  to->Add(data, data + from.form().size());
}

template <class T, class From>
void read_numbers(const From &from, literal &to, const std::string &where) {
  check(from.size() == to.form().size(),
        "the literal has another number of elements than its shape", where);
  std::copy(from.begin(), from.end(), reinterpret_cast<T *>(to.bytes().data()));
}

/// Elements stored as their bytes, little-endian as in memory.
std::string bytes_of(const literal &from) {
  return {reinterpret_cast<const char *>(from.bytes().data()),
          from.bytes().size()};
}

void read_bytes(const std::string &from, literal &to,
                const std::string &where) {
  check(from.size() == to.bytes().size(),
        "the literal has another number of bytes than its shape", where);
  std::copy(from.begin(), from.end(),
            reinterpret_cast<char *>(to.bytes().data()));
}

} // namespace

void write_shape(const shape &from, ShapeProto &to) {
  if (from.tuple) {
    to.set_element_type(tuple_number);
    for (const shape &element : from.elements)
      write_shape(element, *to.add_tuple_shapes());
    return;
  }
  for (const primitive &p : primitives)
    if (p.type == from.type)
      to.set_element_type(p.number);
  put(to.mutable_dimensions(), from.dimensions);
  put(to.mutable_layout()->mutable_minor_to_major(), from.minor_to_major);
}

shape read_shape(const ShapeProto &from, const std::string &where) {
  shape out = read(from, where, 0);
  check(is_well_formed(out), "its shape is not valid", where);
  return out;
}

void write_literal(const literal &from, LiteralProto &to) {
  write_shape(from.form(), *to.mutable_shape());
  switch (from.form().type) {
  case element_type::pred:
    for (const auto byte : from.bytes())
      to.add_preds(byte != std::byte{0});
    return;
  case element_type::s8:
    return to.set_s8s(bytes_of(from));
  case element_type::u8:
    return to.set_u8s(bytes_of(from));
  case element_type::f16:
    return to.set_f16s(bytes_of(from));
  case element_type::bf16:
    return to.set_bf16s(bytes_of(from));
  case element_type::s32:
    return write_numbers<std::int32_t>(from, to.mutable_s32s());
  case element_type::s64:
    return write_numbers<std::int64_t>(from, to.mutable_s64s());
  case element_type::u32:
    return write_numbers<std::uint32_t>(from, to.mutable_u32s());
  case element_type::u64:
    return write_numbers<std::uint64_t>(from, to.mutable_u64s());
  case element_type::f32:
    return write_numbers<float>(from, to.mutable_f32s());
  case element_type::f64:
    return write_numbers<double>(from, to.mutable_f64s());
  }
}

literal read_literal(const LiteralProto &from, std::size_t &budget,
                     const std::string &where) {
  const shape form = read_shape(from.shape(), where);
  check(!form.tuple, "tuple constants are not supported", where);
  check(form.bytes() <= budget, "constants are too large", where);
  // What is not there takes no memory: the message has all elements.
  check(static_cast<std::size_t>(form.size()) <= from.ByteSizeLong(),
        "the literal has fewer elements than its shape", where);
  budget -= form.bytes();
  literal out(form);
  switch (form.type) {
  case element_type::pred:
    read_numbers<std::uint8_t>(from.preds(), out, where);
    break;
  case element_type::s8:
    read_bytes(from.s8s(), out, where);
    break;
  case element_type::u8:
    read_bytes(from.u8s(), out, where);
    break;
  case element_type::f16:
    read_bytes(from.f16s(), out, where);
    break;
  case element_type::bf16:
    read_bytes(from.bf16s(), out, where);
    break;
  case element_type::s32:
    read_numbers<std::int32_t>(from.s32s(), out, where);
    break;
  case element_type::s64:
    read_numbers<std::int64_t>(from.s64s(), out, where);
    break;
  case element_type::u32:
    read_numbers<std::uint32_t>(from.u32s(), out, where);
    break;
  case element_type::u64:
    read_numbers<std::uint64_t>(from.u64s(), out, where);
    break;
  case element_type::f32:
    read_numbers<float>(from.f32s(), out, where);
    break;
  case element_type::f64:
    read_numbers<double>(from.f64s(), out, where);
    break;
  }
  return out;
}

} // namespace ganglion::hlo::wire
