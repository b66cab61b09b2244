#include "hlo/verifier.hpp"

#include "hlo/call_signature.hpp"
#include "hlo/composite.hpp"
#include "hlo/name.hpp"
#include "hlo/shape_inference.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace ganglion::hlo {

namespace {

class verifier {
public:
  explicit verifier(const module &m) : module_(m) {}

  void run() {
    check_computation_list();
    for (const auto &c : module_.computations())
      check_body(*c);
    for (const auto &c : module_.computations())
      depth_of(*c, 0);
    check_aliases();
  }

private:
  /// Throws, naming the module, the computation and the instruction at hand.
  [[noreturn]] void fail(const std::string &message) const {
    std::string field = computation_ ? computation_->name() : std::string();
    if (instruction_)
      field += "/" + instruction_->name;
    throw error(error_code::invalid_argument, message,
                "module " + module_.name(), field);
  }

  void check(bool holds, const char *message) const {
    if (!holds)
      fail(message);
  }

  void check_computation_list();
  void check_body(const computation &c);
  void check_instruction(const instruction &i);
  void check_operands(const instruction &i);
  void check_shape(const instruction &i);
  void check_constant(const instruction &i);
  void check_collective(const instruction &i);
  void check_groups(const instruction &i);
  void check_frontend(const instruction &i);
  void check_parameters(const computation &c);
  int depth_of(const computation &c, int callers);
  void check_aliases();

  const module &module_;
  const computation *computation_ = nullptr;
  const instruction *instruction_ = nullptr;
  std::unordered_set<const computation *> known_;
  /// Instructions of the current computation seen so far.
  std::unordered_set<const instruction *> defined_;
  std::set<std::int64_t> channels_;
  std::unordered_map<const computation *, int> depth_;
};

void verifier::check_computation_list() {
  std::unordered_set<std::string_view> names;
  check(is_name(module_.name()), "the module's name is not an HLO name");
  check(module_.num_partitions > 0, "num_partitions must be positive");
  for (const auto &c : module_.computations()) {
    computation_ = c.get();
    check(is_name(c->name()), "the computation's name is no HLO name");
    check(names.insert(c->name()).second, "two computations of this name");
    check(c->root() != nullptr, "the computation has no root");
    known_.insert(c.get());
  }
  computation_ = nullptr;
  check(known_.contains(module_.entry()), "the module has no entry");
}

void verifier::check_body(const computation &c) {
  computation_ = &c;
  defined_.clear();
  std::unordered_set<std::string_view> names;
  for (const auto &i : c.instructions()) {
    instruction_ = i.get();
    check(is_name(i->name), "the name is not an HLO name");
    check(names.insert(i->name).second, "two instructions of this name");
    check_instruction(*i);
    defined_.insert(i.get());
  }
  instruction_ = nullptr;
  check(defined_.contains(c.root()), "the root is not in the computation");
  check_parameters(c);
  computation_ = nullptr;
}

void verifier::check_instruction(const instruction &i) {
  check_operands(i);
  for (const computation *callee : i.attrs.called)
    check(known_.contains(callee), "calls a computation of another module");
  check_shape(i);
  check_constant(i);
  if (const std::string rule = broken_call_rule(i); !rule.empty())
    fail(rule);
  if (is_collective(i.op))
    check_collective(i);
  check_frontend(i);
}

void verifier::check_operands(const instruction &i) {
  for (const instruction *operand : i.operands)
    if (!defined_.contains(operand))
      fail("an operand does not come before it in this computation");
}

void verifier::check_shape(const instruction &i) {
  check(is_well_formed(i.form), "its shape is not valid");
  std::vector<const shape *> operands;
  for (const instruction *operand : i.operands)
    operands.push_back(&operand->form);
  shape inferred;
  try {
    inferred = infer_shape(i.op, operands, i.attrs, i.form);
  } catch (const error &e) {
    fail(e.describe());
  }
  if (!compatible(inferred, i.form))
    fail("its shape is " + to_string(i.form, false) +
         ", but its operands give " + to_string(inferred, false));
}

void verifier::check_constant(const instruction &i) {
  if (i.op != opcode::constant)
    return;
  check(i.attrs.value != nullptr, "the constant has no value");
  check(!i.form.tuple && compatible(i.attrs.value->form(), i.form),
        "the value has another shape");
}

void verifier::check_collective(const instruction &i) {
  check(i.attrs.channel_id > 0, "channel_id must be positive");
  check(channels_.insert(i.attrs.channel_id).second,
        "channel_id is used by another instruction");
  check_groups(i);
}

void verifier::check_groups(const instruction &i) {
  const auto &groups = i.attrs.replica_groups;
  if (groups.empty()) {
    check(i.op == opcode::all_reduce || module_.num_partitions == 1,
          "replica_groups are needed for more than one partition");
    return;
  }
  std::unordered_set<std::int64_t> seen;
  for (const dims &group : groups) {
    check(!group.empty() && group.size() == groups[0].size(),
          "replica_groups differ in size or are empty");
    for (const auto partition : group)
      check(partition >= 0 && partition < module_.num_partitions &&
                seen.insert(partition).second,
            "replica_groups name a partition twice or one that is not there");
  }
}

void verifier::check_frontend(const instruction &i) {
  const auto &frontend = i.attrs.frontend;
  for (const auto &[key, value] : frontend)
    check(is_name(key), "a frontend attribute's name is no HLO name");
  if (!i.attrs.is_composite)
    return;
  check(i.op == opcode::call, "only a call can be a composite");
  check(frontend.contains("composite.name") &&
            !frontend.at("composite.name").empty(),
        "a composite needs composite.name");
  check(frontend.contains("composite.attributes"),
        "a composite needs composite.attributes");
  try {
    composite_attributes_of(i);
  } catch (const error &e) {
    fail(e.describe());
  }
}

void verifier::check_parameters(const computation &c) {
  std::int64_t expected = 0;
  for (const instruction *p : c.parameters()) {
    instruction_ = p;
    check(p->attrs.parameter_number == expected++,
          "parameters are not numbered 0, 1, 2, ...");
  }
  instruction_ = nullptr;
}

/// How many levels of calls lie below and including `c`.
int verifier::depth_of(const computation &c, int callers) {
  if (const auto found = depth_.find(&c); found != depth_.end())
    return found->second;
  computation_ = &c;
  check(callers < max_call_depth, "calls are recursive or nest too deeply");
  int below = 0;
  for (const auto &i : c.instructions())
    for (const computation *callee : i->attrs.called)
      below = std::max(below, depth_of(*callee, callers + 1));
  computation_ = &c;
  check(below < max_call_depth, "calls nest too deeply");
  computation_ = nullptr;
  return depth_[&c] = below + 1;
}

void verifier::check_aliases() {
  const shape &result = module_.entry()->root()->form;
  const auto parameters = module_.entry()->parameters();
  std::set<std::int64_t> outputs, inputs;
  for (const alias &a : module_.aliases) {
    const auto outputs_there =
        result.tuple ? static_cast<std::int64_t>(result.elements.size()) : 1;
    check(a.output_index >= 0 && a.output_index < outputs_there,
          "an alias names an output that is not there");
    check(a.parameter_number >= 0 &&
              a.parameter_number < static_cast<std::int64_t>(parameters.size()),
          "an alias names a parameter that is not there");
    check(outputs.insert(a.output_index).second &&
              inputs.insert(a.parameter_number).second,
          "two aliases of one output or parameter");
    const shape &output =
        result.tuple ? result.elements[a.output_index] : result;
    check(!output.tuple && output == parameters[a.parameter_number]->form,
          "an alias joins different shapes");
  }
}

} // namespace

void verify(const module &m) { verifier(m).run(); }

} // namespace ganglion::hlo
