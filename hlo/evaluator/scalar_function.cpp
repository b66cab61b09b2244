#include "hlo/evaluator/scalar_function.hpp"

#include "hlo/evaluator/operation.hpp"
#include "hlo/support/error.hpp"

#include <unordered_map>

namespace ganglion::hlo {

namespace {

constexpr int max_depth = 64;

[[noreturn]] void refuse(const instruction &i, const char *why) {
  throw error(error_code::unsupported, why, "computation over scalars", i.name);
}

bool is_plain(opcode op) {
  return op < opcode::call && op != opcode::parameter &&
         op != opcode::partition_id;
}

} // namespace

scalar_function::scalar_function(const computation &c) {
  std::vector<values> given;
  for (const instruction *p : c.parameters()) {
    arguments_.push_back(scalar(*p));
    given.push_back({arguments_.back()});
  }
  results_ = emit(c, given, 0);
}

literal_view scalar_function::scalar(const instruction &i) {
  if (i.form.tuple || i.form.rank() > 0)
    refuse(i, "only scalars are accepted in a computation per element");
  memory_.push_back(0);
  return {&i.form, reinterpret_cast<std::byte *>(&memory_.back())};
}

scalar_function::values
scalar_function::emit(const computation &c,
                      const std::vector<values> &arguments, int depth) {
  if (depth > max_depth)
    refuse(*c.root(), "calls are nested too deeply");
  std::unordered_map<const instruction *, values> done;
  for (const auto &i : c.instructions()) {
    if (i->op == opcode::parameter) {
      done[i.get()] =
          arguments.at(static_cast<std::size_t>(i->attrs.parameter_number));
      continue;
    }
    std::vector<values> inputs;
    for (const instruction *o : i->operands)
      inputs.push_back(done.at(o));
    done[i.get()] = emit(*i, inputs, depth);
  }
  return done.at(c.root());
}

scalar_function::values scalar_function::emit(const instruction &i,
                                              const std::vector<values> &inputs,
                                              int depth) {
  values flat;
  for (const auto &input : inputs)
    flat.insert(flat.end(), input.begin(), input.end());
  if (i.op == opcode::tuple)
    return flat;
  if (i.op == opcode::get_tuple_element)
    return {flat.at(static_cast<std::size_t>(i.attrs.tuple_index))};
  if (i.op == opcode::call)
    return emit(*i.attrs.called.at(0), inputs, depth + 1);
  if (!is_plain(i.op))
    refuse(i, "operation not accepted in a computation per element");
  const literal_view out = scalar(i);
  steps_.push_back({&i, std::move(flat), out});
  return {out};
}

void scalar_function::run() const {
  for (const auto &s : steps_)
    evaluate_operation(*s.operation, s.inputs, s.output);
}

} // namespace ganglion::hlo
