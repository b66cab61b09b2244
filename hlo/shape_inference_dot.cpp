#include "hlo/shape_rules.hpp"

namespace ganglion::hlo::shape_rules {

shape infer_dot(shapes in, const attributes &a, const shape &wanted) {
  const auto &n = a.dot;
  const shape &l = *in[0], &r = *in[1];
  check(n.lhs_contracting.size() == n.rhs_contracting.size() &&
            n.lhs_batch.size() == n.rhs_batch.size() && l.type == r.type,
        opcode::dot, "matching dimension lists and types", in);
  check_dims(n.lhs_contracting, l.rank(), opcode::dot, in);
  check_dims(n.rhs_contracting, r.rank(), opcode::dot, in);
  check_dims(n.lhs_batch, l.rank(), opcode::dot, in);
  check_dims(n.rhs_batch, r.rank(), opcode::dot, in);
  for (const auto d : n.lhs_contracting)
    check(!contains(n.lhs_batch, d), opcode::dot,
          "a dimension is both contracted and batch", in);
  for (const auto d : n.rhs_contracting)
    check(!contains(n.rhs_batch, d), opcode::dot,
          "a dimension is both contracted and batch", in);
  for (std::size_t i = 0; i < n.lhs_contracting.size(); ++i)
    check(l.dim(n.lhs_contracting[i]) == r.dim(n.rhs_contracting[i]),
          opcode::dot, "contracted sizes differ", in);
  dims out;
  for (std::size_t i = 0; i < n.lhs_batch.size(); ++i) {
    check(l.dim(n.lhs_batch[i]) == r.dim(n.rhs_batch[i]), opcode::dot,
          "batch sizes differ", in);
    out.push_back(l.dim(n.lhs_batch[i]));
  }
  for (std::int64_t i = 0; i < l.rank(); ++i)
    if (!contains(n.lhs_batch, i) && !contains(n.lhs_contracting, i))
      out.push_back(l.dim(i));
  for (std::int64_t i = 0; i < r.rank(); ++i)
    if (!contains(n.rhs_batch, i) && !contains(n.rhs_contracting, i))
      out.push_back(r.dim(i));
  // As in XLA, the accumulation type may be wider than the operands'.
  const bool widened = is_floating(wanted.type) == is_floating(l.type) &&
                       byte_size(wanted.type) > byte_size(l.type);
  return array_shape(widened ? wanted.type : l.type, out);
}

} // namespace ganglion::hlo::shape_rules
