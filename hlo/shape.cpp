#include "hlo/shape.hpp"

namespace ganglion::hlo {

std::int64_t shape::size() const {
  std::int64_t product = 1;
  for (const auto d : dimensions)
    product *= d;
  return product;
}

std::size_t shape::bytes() const {
  if (!tuple)
    return static_cast<std::size_t>(size()) * byte_size(type);
  std::size_t total = 0;
  for (const auto &element : elements)
    total += element.bytes();
  return total;
}

shape array_shape(element_type type, dims dimensions) {
  shape s;
  s.type = type;
  s.minor_to_major = row_major(dimensions.size());
  s.dimensions = std::move(dimensions);
  return s;
}

shape scalar_shape(element_type type) { return array_shape(type, {}); }

shape tuple_shape(std::vector<shape> elements) {
  shape s;
  s.tuple = true;
  s.elements = std::move(elements);
  return s;
}

dims row_major(std::size_t rank) {
  dims order(rank);
  for (std::size_t i = 0; i < rank; ++i)
    order[i] = static_cast<std::int64_t>(rank - 1 - i);
  return order;
}

dims row_major_strides(const dims &dimensions) {
  dims strides(dimensions.size(), 1);
  for (std::size_t i = dimensions.size(); i-- > 1;)
    strides[i - 1] = strides[i] * dimensions[i];
  return strides;
}

namespace {

bool is_permutation(const dims &order) {
  std::vector<bool> seen(order.size(), false);
  for (const auto d : order) {
    if (d < 0 || d >= static_cast<std::int64_t>(order.size()) || seen[d])
      return false;
    seen[d] = true;
  }
  return true;
}

bool well_formed_array(const shape &s) {
  if (s.rank() > max_rank || !s.elements.empty() ||
      s.minor_to_major.size() != s.dimensions.size())
    return false;
  // Zero counts as one, so that strides stay within the limit as well.
  std::int64_t product = 1;
  for (const auto d : s.dimensions) {
    if (d < 0 || d > max_elements / product)
      return false;
    product *= d > 1 ? d : 1;
  }
  return is_permutation(s.minor_to_major);
}

bool well_formed(const shape &s, int depth) {
  if (!s.tuple)
    return well_formed_array(s);
  if (depth == 0 || !s.dimensions.empty())
    return false;
  for (const auto &element : s.elements)
    if (!well_formed(element, depth - 1))
      return false;
  return true;
}

std::string joined(const dims &numbers) {
  std::string out;
  for (const auto n : numbers) {
    if (!out.empty())
      out += ',';
    out += std::to_string(n);
  }
  return out;
}

} // namespace

std::string to_string(const shape &s, bool with_layout) {
  if (s.tuple) {
    std::string out = "(";
    for (std::size_t i = 0; i < s.elements.size(); ++i) {
      if (i > 0)
        out += ", ";
      out += to_string(s.elements[i], with_layout);
    }
    return out + ")";
  }
  std::string out(to_string(s.type));
  out += "[" + joined(s.dimensions) + "]";
  if (with_layout && !s.dimensions.empty())
    out += "{" + joined(s.minor_to_major) + "}";
  return out;
}

bool is_well_formed(const shape &s) { return well_formed(s, 8); }

bool compatible(const shape &a, const shape &b) {
  if (a.tuple != b.tuple || a.elements.size() != b.elements.size())
    return false;
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    if (!compatible(a.elements[i], b.elements[i]))
      return false;
  return a.tuple || (a.type == b.type && a.dimensions == b.dimensions);
}

} // namespace ganglion::hlo
