#include "hlo/evaluator/interpreter.hpp"

#include "hlo/evaluator/collectives.hpp"
#include "hlo/evaluator/operation.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::hlo {

namespace {

using inputs = std::vector<const lane_values *>;

// Deeper nesting than any real graph has: a computation that calls itself.
constexpr int max_depth = 200;

[[noreturn]] void fail(const std::string &message, const std::string &where,
                       const std::string &field) {
  throw error(error_code::invalid_argument, message, where, field);
}

void check_arguments(const computation &c,
                     const std::vector<lane_values> &arguments) {
  const auto parameters = c.parameters();
  if (parameters.size() != arguments.size())
    fail("takes " + std::to_string(parameters.size()) + " arguments, not " +
             std::to_string(arguments.size()),
         c.name(), {});
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const instruction &p = *parameters[k];
    if (p.attrs.parameter_number != static_cast<std::int64_t>(k))
      fail("parameters are not numbered from 0", c.name(), p.name);
    for (const auto &v : arguments[k])
      if (!v.has_shape(p.form))
        fail("expected " + to_string(p.form, false) + ", got " +
                 to_string(v.form(), false),
             c.name(), p.name);
  }
}

/// Arrays of zeros for the results of `i`, one per array.
std::vector<literal> results_of(const instruction &i) {
  std::vector<literal> out;
  if (!i.form.tuple)
    out.emplace_back(i.form);
  for (const auto &element : i.form.elements)
    out.emplace_back(element);
  return out;
}

std::vector<literal_view> views_of(const std::vector<literal> &literals) {
  std::vector<literal_view> out;
  for (const auto &l : literals)
    out.push_back(l.view());
  return out;
}

literal_view array_view(const instruction &i, const shared_value &v) {
  if (!v.array)
    fail("works on arrays; a tuple was given", std::string(to_string(i.op)),
         i.name);
  return v.array->view();
}

/// One operation of one partition, with one result or several.
shared_value compute(const instruction &i, const inputs &in, std::size_t lane) {
  std::vector<literal_view> operands;
  for (const lane_values *values : in)
    operands.push_back(array_view(i, (*values)[lane]));
  std::vector<literal> results = results_of(i);
  const auto outs = views_of(results);
  evaluate_results(i, operands, outs);
  if (!i.form.tuple)
    return shared_value::own(std::move(results[0]));
  std::vector<shared_value> parts;
  for (auto &r : results)
    parts.push_back(shared_value::own(std::move(r)));
  return shared_value::tuple(std::move(parts));
}

const computation &callee(const instruction &i, std::size_t k) {
  if (k >= i.attrs.called.size() || !i.attrs.called[k])
    fail("names no computation to run", std::string(to_string(i.op)), i.name);
  return *i.attrs.called[k];
}

void check_result(const instruction &i, const lane_values &values) {
  for (const auto &v : values)
    if (!v.has_shape(i.form))
      fail("gave " + to_string(v.form(), false) + " where " +
               to_string(i.form, false) + " is declared",
           std::string(to_string(i.op)), i.name);
}

/// The values of some lanes only.
lane_values pick(const lane_values &values, const lanes &positions) {
  lane_values out;
  for (const auto p : positions)
    out.push_back(values[p]);
  return out;
}

lanes pick(const lanes &active, const lanes &positions) {
  lanes out;
  for (const auto p : positions)
    out.push_back(active[p]);
  return out;
}

/// pred: true takes branch 0; a number outside takes the last.
std::size_t branch_of(const instruction &i, const shared_value &selector) {
  const literal_view v = array_view(i, selector);
  const auto count = static_cast<std::int64_t>(i.attrs.called.size());
  if (v.form->type == element_type::pred)
    return v.integer(0) != 0 ? 0 : 1;
  const auto index = v.integer(0);
  return static_cast<std::size_t>(index < 0 || index >= count ? count - 1
                                                              : index);
}

/// How often each value of `c` is still needed.
std::unordered_map<const instruction *, std::size_t>
uses_in(const computation &c) {
  std::unordered_map<const instruction *, std::size_t> uses;
  for (const auto &i : c.instructions())
    for (const instruction *o : i->operands)
      ++uses[o];
  ++uses[c.root()];
  return uses;
}

} // namespace

lane_values interpreter::run(const computation &c, const lanes &active,
                             const std::vector<lane_values> &arguments) {
  if (++depth_ > max_depth)
    fail("computations call each other too deeply", c.name(), {});
  if (!c.root())
    fail("has no root", c.name(), {});
  check_arguments(c, arguments);
  std::unordered_map<const instruction *, lane_values> done;
  auto uses = uses_in(c);
  for (const auto &i : c.instructions()) {
    if (i->op == opcode::parameter) {
      done[i.get()] =
          arguments[static_cast<std::size_t>(i->attrs.parameter_number)];
      continue;
    }
    inputs in;
    for (const instruction *o : i->operands)
      in.push_back(&done.at(o));
    lane_values out = step(*i, active, in);
    check_result(*i, out);
    done[i.get()] = std::move(out);
    for (const instruction *o : i->operands)
      if (--uses[o] == 0) // a whole step would not fit otherwise
        done.erase(o);
  }
  --depth_;
  return std::move(done.at(c.root()));
}

lane_values interpreter::step(const instruction &i, const lanes &active,
                              const inputs &in) {
  if (is_collective(i.op))
    return collective(i, active, *in.at(0));
  lane_values out;
  switch (i.op) {
  case opcode::call:
  case opcode::while_:
  case opcode::conditional:
  case opcode::tuple:
  case opcode::get_tuple_element:
    return structure(i, active, in);
  case opcode::constant:
    require(i.attrs.value != nullptr, "constant without a value");
    return lane_values(active.size(), shared_value{i.attrs.value, {}});
  case opcode::partition_id:
    for (const auto p : active)
      out.push_back(shared_value::own(
          literal::scalar(element_type::u32, static_cast<double>(p))));
    return out;
  default:
    for (std::size_t lane = 0; lane < active.size(); ++lane)
      out.push_back(compute(i, in, lane));
    return out;
  }
}

lane_values interpreter::structure(const instruction &i, const lanes &active,
                                   const inputs &in) {
  std::vector<lane_values> arguments;
  lane_values out;
  switch (i.op) {
  case opcode::call:
    for (const lane_values *values : in)
      arguments.push_back(*values);
    return run(callee(i, 0), active, arguments);
  case opcode::while_:
    return loop(i, active, *in.at(0));
  case opcode::conditional:
    return branch(i, active, in);
  case opcode::tuple:
    for (std::size_t lane = 0; lane < active.size(); ++lane) {
      std::vector<shared_value> parts;
      for (const lane_values *values : in)
        parts.push_back((*values)[lane]);
      out.push_back(shared_value::tuple(std::move(parts)));
    }
    return out;
  default:
    for (const auto &v : *in.at(0)) {
      const auto k = static_cast<std::size_t>(i.attrs.tuple_index);
      if (k >= v.elements.size())
        fail("index " + std::to_string(k) + " is outside the tuple",
             std::string(to_string(i.op)), i.name);
      out.push_back(v.elements[k]);
    }
    return out;
  }
}

// Partitions may leave the loop at different times; those that stay go on
// together.
lane_values interpreter::loop(const instruction &i, const lanes &active,
                              lane_values state) {
  lanes going(active.size());
  for (std::size_t lane = 0; lane < active.size(); ++lane)
    going[lane] = lane;
  for (std::int64_t iteration = 0;; ++iteration) {
    const lane_values goes_on =
        run(callee(i, 0), pick(active, going), {pick(state, going)});
    lanes still;
    for (std::size_t k = 0; k < going.size(); ++k)
      if (array_view(i, goes_on[k]).integer(0) != 0)
        still.push_back(going[k]);
    if (still.empty())
      return state;
    if (iteration == options_.max_iterations)
      fail("still running after " + std::to_string(iteration) +
               " iterations; at most max_iterations are accepted",
           "while", i.name);
    going = std::move(still);
    lane_values next =
        run(callee(i, 1), pick(active, going), {pick(state, going)});
    for (std::size_t k = 0; k < going.size(); ++k)
      state[going[k]] = std::move(next[k]);
  }
}

lane_values interpreter::branch(const instruction &i, const lanes &active,
                                const inputs &in) {
  lane_values out(active.size());
  for (std::size_t b = 0; b < i.attrs.called.size(); ++b) {
    lanes taken;
    for (std::size_t lane = 0; lane < active.size(); ++lane)
      if (branch_of(i, in[0]->at(lane)) == b)
        taken.push_back(lane);
    if (taken.empty())
      continue;
    lane_values results =
        run(callee(i, b), pick(active, taken), {pick(*in.at(b + 1), taken)});
    for (std::size_t k = 0; k < taken.size(); ++k)
      out[taken[k]] = std::move(results[k]);
  }
  return out;
}

lane_values interpreter::collective(const instruction &i, const lanes &active,
                                    const lane_values &in) {
  std::vector<literal> results;
  std::vector<literal_view> from;
  for (const auto &v : in) {
    from.push_back(array_view(i, v));
    results.emplace_back(i.form);
  }
  evaluate_collective(i, active, partitions_, from, views_of(results));
  lane_values out;
  for (auto &r : results)
    out.push_back(shared_value::own(std::move(r)));
  return out;
}

} // namespace ganglion::hlo
