#include "hlo/proto/attribute_wire.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/proto/shape_wire.hpp"

#include <limits>
#include <unordered_map>
#include <unordered_set>

namespace ganglion::hlo {

namespace {

/// Gives every name that was there before a number.
class unique_names {
public:
  std::string operator()(const std::string &name) {
    std::string out = name;
    for (std::int64_t &n = next_[name]; !used_.insert(out).second;)
      out = name + "." + std::to_string(++n);
    return out;
  }

private:
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, std::int64_t> next_;
};

class module_writer {
public:
  explicit module_writer(const module &m) : module_(m) {}

  std::string write() {
    out_.set_name(module_.name());
    for (const computation *c : callees_first(module_))
      write_computation(*c, *out_.add_computations());
    const auto &entry = *out_.computations().rbegin();
    out_.set_entry_computation_name(entry.name());
    out_.set_entry_computation_id(entry.id());
    *out_.mutable_host_program_shape() = entry.program_shape();
    write_aliases();
    write_devices();
    return bytes();
  }

private:
  void write_computation(const computation &from,
                         wire::HloComputationProto &to);
  void write_instruction(const instruction &from,
                         wire::HloInstructionProto &to);
  void write_aliases();
  void write_devices();
  std::string bytes() const;

  const module &module_;
  wire::HloModuleProto out_;
  unique_names name_;
  std::unordered_map<const computation *, std::int64_t> computations_;
  std::unordered_map<const instruction *, std::int64_t> instructions_;
};

void module_writer::write_computation(const computation &from,
                                      wire::HloComputationProto &to) {
  const auto id = static_cast<std::int64_t>(computations_.size()) + 1;
  computations_[&from] = id;
  to.set_name(from.name());
  to.set_id(id);
  std::unordered_map<const instruction *, std::string> names;
  for (const auto &i : from.instructions()) {
    write_instruction(*i, *to.add_instructions());
    names[i.get()] = to.instructions().rbegin()->name();
  }
  to.set_root_id(instructions_.at(from.root()));
  auto *form = to.mutable_program_shape();
  for (const instruction *p : from.parameters()) {
    wire::write_shape(p->form, *form->add_parameters());
    form->add_parameter_names(names.at(p));
  }
  wire::write_shape(from.root()->form, *form->mutable_result());
}

void module_writer::write_instruction(const instruction &from,
                                      wire::HloInstructionProto &to) {
  const auto id = static_cast<std::int64_t>(instructions_.size()) + 1;
  instructions_[&from] = id;
  to.set_id(id);
  to.set_name(name_(from.name));
  to.set_opcode(std::string(to_string(from.op)));
  wire::write_shape(from.form, *to.mutable_shape());
  if (from.op == opcode::constant)
    wire::write_literal(*from.attrs.value, *to.mutable_literal());
  for (const instruction *operand : from.operands)
    to.add_operand_ids(instructions_.at(operand));
  for (const computation *c : wire::in_wire_order(from.op, from.attrs.called))
    to.add_called_computation_ids(computations_.at(c));
  wire::write_attributes(from, to);
}

void module_writer::write_aliases() {
  const bool tuple = module_.entry()->root()->form.tuple;
  for (const alias &a : module_.aliases) {
    auto *entry = out_.mutable_input_output_alias()->add_entries();
    if (tuple)
      entry->add_output_shape_index(a.output_index);
    entry->set_parameter_number(a.parameter_number);
    entry->set_kind(a.must ? wire::must_alias : wire::may_alias);
  }
}

void module_writer::write_devices() {
  if (module_.num_partitions == 1)
    return;
  auto *devices = out_.mutable_device_assignment();
  devices->set_replica_count(1);
  devices->set_computation_count(
      static_cast<std::int32_t>(module_.num_partitions));
  for (std::int64_t p = 0; p < module_.num_partitions; ++p)
    devices->add_computation_devices()->add_replica_device_ids(p);
}

std::string module_writer::bytes() const {
  if (out_.ByteSizeLong() > std::numeric_limits<std::int32_t>::max())
    throw error(error_code::unsupported,
                "a proto cannot hold more than 2 GiB; the module has " +
                    std::to_string(out_.ByteSizeLong()) + " bytes",
                "module " + module_.name());
  return out_.SerializeAsString();
}

} // namespace

std::string serialise(const module &m) { return module_writer(m).write(); }

} // namespace ganglion::hlo
