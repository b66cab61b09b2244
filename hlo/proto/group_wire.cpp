#include "hlo/proto/group_wire.hpp"

namespace ganglion::hlo::wire {

namespace {

constexpr std::int64_t max_devices = 65536;

template <class List>
std::vector<dims> read_list(const List &from) {
  std::vector<dims> out;
  for (const ReplicaGroup &group : from)
    out.push_back(got(group.replica_ids()));
  return out;
}

/// Devices 0, 1, 2, ... cut into groups.
std::vector<dims> read_counted(const IotaReplicaGroupListProto &from,
                               const std::string &where) {
  const auto groups = from.num_replica_groups(),
             each = from.num_devices_per_group();
  check(groups > 0 && each > 0 && groups <= max_devices && each <= max_devices,
        "replica groups out of range", where);
  check(from.iota_reshape_dims().size() == 1 &&
            from.iota_reshape_dims(0) == groups * each &&
            groups * each <= max_devices,
        "transposed replica groups are not supported", where);
  std::vector<dims> out(static_cast<std::size_t>(groups));
  std::int64_t device = 0;
  for (dims &group : out)
    for (std::int64_t i = 0; i < each; ++i)
      group.push_back(device++);
  return out;
}

} // namespace

void write_groups(const instruction &from, HloInstructionProto &to) {
  to.set_channel_id(from.attrs.channel_id);
  for (const dims &group : from.attrs.replica_groups)
    put(to.add_replica_groups()->mutable_replica_ids(), group);
  // XLA lets an all-to-all hold partition numbers without saying so, and
  // takes empty groups for all partitions only where nothing is said.
  to.set_use_global_device_ids(from.op != opcode::all_to_all &&
                               !from.attrs.replica_groups.empty());
}

void read_groups(const HloInstructionProto &from, attributes &to,
                 const std::string &where) {
  to.channel_id = from.channel_id();
  const auto &list = from.collective_device_list();
  to.replica_groups = list.has_iota_replica_group_list()
                          ? read_counted(list.iota_replica_group_list(), where)
                      : !list.replica_groups().empty()
                          ? read_list(list.replica_groups())
                          : read_list(from.replica_groups());
}

} // namespace ganglion::hlo::wire
