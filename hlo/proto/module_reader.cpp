#include "hlo/proto/attribute_wire.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/proto/shape_wire.hpp"
#include "hlo/verifier.hpp"

#include <limits>
#include <optional>
#include <unordered_map>

namespace ganglion::hlo {

namespace {

using wire::check;

/// Reads computations one after the other; callees come first.
class module_reader {
public:
  explicit module_reader(const wire::HloModuleProto &from)
      : from_(from),
        module_(std::make_unique<module>(from.name())) {}

  std::unique_ptr<module> read() {
    check(!from_.is_dynamic(), "dynamic modules are not supported", "module");
    read_devices();
    for (const auto &c : from_.computations())
      read_computation(c);
    const auto entry = computations_.find(from_.entry_computation_id());
    check(entry != computations_.end(), "the entry computation is missing",
          "module");
    module_->set_entry(entry->second);
    read_aliases();
    return std::move(module_);
  }

private:
  using by_id = std::unordered_map<std::int64_t, instruction *>;

  void read_devices();
  void read_computation(const wire::HloComputationProto &from);
  void read_instruction(const wire::HloInstructionProto &from, by_id &known,
                        computation &to);
  std::vector<computation *> called_by(const wire::HloInstructionProto &from,
                                       const std::string &where) const;
  void read_alias(const wire::AliasEntryProto &from);
  void read_aliases();

  const wire::HloModuleProto &from_;
  std::unique_ptr<module> module_;
  std::unordered_map<std::int64_t, computation *> computations_;
  read_budget budget_;
};

void module_reader::read_devices() {
  if (!from_.has_device_assignment())
    return;
  const auto &devices = from_.device_assignment();
  check(devices.replica_count() <= 1, "more than one replica is not supported",
        "device_assignment");
  module_->num_partitions =
      std::max<std::int64_t>(devices.computation_count(), 1);
}

void module_reader::read_computation(const wire::HloComputationProto &from) {
  const std::string &name = from.name();
  check(!from.is_fusion_computation(), "fusions are not supported", name);
  check(from.execution_thread().empty() || from.execution_thread() == "main",
        "only the execution thread \"main\" is accepted", name);
  check(!module_->find_computation(name), "a second computation of this name",
        name);
  // Registered only after it is read: no computation can call itself.
  computation body(name);
  by_id known;
  for (const auto &i : from.instructions())
    read_instruction(i, known, body);
  const auto root = known.find(from.root_id());
  check(root != known.end(), "the root is missing", name);
  computation *added = module_->add_computation(name);
  added->replace_all(body.take_all(), root->second);
  check(computations_.emplace(from.id(), added).second,
        "another computation has the same id", name);
}

void module_reader::read_instruction(const wire::HloInstructionProto &from,
                                     by_id &known, computation &to) {
  const std::string where = to.name() + "/" + from.name();
  check(budget_.instructions-- > 0, "too many instructions", where);
  check(!from.name().empty(), "an instruction has no name", where);
  const auto op = opcode_from(from.opcode());
  check(op.has_value(), "unknown operation '" + from.opcode() + "'", where);
  attributes attrs;
  wire::read_attributes(*op, from, attrs, where);
  if (*op == opcode::constant)
    attrs.value = std::make_shared<const literal>(
        wire::read_literal(from.literal(), budget_.constant_bytes, where));
  attrs.called = wire::in_wire_order(*op, called_by(from, where));
  std::vector<instruction *> operands;
  for (const auto id : from.operand_ids()) {
    const auto found = known.find(id);
    check(found != known.end(), "an operand is not defined before", where);
    operands.push_back(found->second);
  }
  module_->note_channel_id(attrs.channel_id);
  instruction *added =
      to.append(*op, wire::read_shape(from.shape(), where), std::move(operands),
                std::move(attrs), from.name());
  check(known.emplace(from.id(), added).second,
        "another instruction has the same id", where);
}

std::vector<computation *>
module_reader::called_by(const wire::HloInstructionProto &from,
                         const std::string &where) const {
  std::vector<computation *> out;
  for (const auto id : from.called_computation_ids()) {
    const auto found = computations_.find(id);
    check(found != computations_.end(),
          "a computation that it calls is not defined before", where);
    out.push_back(found->second);
  }
  return out;
}

void module_reader::read_alias(const wire::AliasEntryProto &from) {
  const char *where = "input_output_alias";
  const bool tuple = module_->entry()->root()->form.tuple;
  check(from.output_shape_index_size() == (tuple ? 1 : 0),
        tuple ? "expected one output index" : "the entry returns one array",
        where);
  check(from.parameter_shape_index().empty(),
        "aliases into tuple parameters are not supported", where);
  check(from.kind() == wire::must_alias || from.kind() == wire::may_alias,
        "kind must be MUST_ALIAS or MAY_ALIAS", where);
  module_->aliases.push_back({tuple ? from.output_shape_index(0) : 0,
                              from.parameter_number(),
                              from.kind() == wire::must_alias});
}

void module_reader::read_aliases() {
  for (const auto &entry : from_.input_output_alias().entries())
    read_alias(entry);
}

std::unique_ptr<module> read(std::string_view bytes) {
  check(bytes.size() <= std::numeric_limits<std::int32_t>::max(),
        "longer than a proto may be", {});
  wire::HloModuleProto proto;
  check(proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())),
        "not a HloModuleProto", {});
  wire::check_known(proto);
  auto m = module_reader(proto).read();
  verify(*m);
  return m;
}

} // namespace

std::unique_ptr<module> deserialise(std::string_view bytes,
                                    const std::string &where) {
  try {
    return read(bytes);
  } catch (const error &e) {
    throw error(e.code(), e.what(), where + ": " + e.where(), e.field());
  }
}

} // namespace ganglion::hlo
