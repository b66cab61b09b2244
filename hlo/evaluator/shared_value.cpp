#include "hlo/evaluator/shared_value.hpp"

namespace ganglion::hlo {

shared_value shared_value::borrow(const literal &l) {
  if (!l.form().tuple) // aliases nothing: the caller keeps the literal
    return {{std::shared_ptr<const literal>(), &l}, {}};
  std::vector<shared_value> parts;
  for (const auto &element : l.elements())
    parts.push_back(borrow(element));
  return tuple(std::move(parts));
}

shape shared_value::form() const {
  if (array)
    return array->form();
  std::vector<shape> parts;
  for (const auto &element : elements)
    parts.push_back(element.form());
  return tuple_shape(std::move(parts));
}

bool shared_value::has_shape(const shape &s) const {
  if (array)
    return compatible(array->form(), s);
  if (!s.tuple || s.elements.size() != elements.size())
    return false;
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (!elements[k].has_shape(s.elements[k]))
      return false;
  return true;
}

literal shared_value::copy() const {
  if (array)
    return array->clone();
  std::vector<literal> parts;
  for (const auto &element : elements)
    parts.push_back(element.copy());
  return literal::tuple(std::move(parts));
}

} // namespace ganglion::hlo
