// What the parts of the proto reader share: the generated messages, and how
// what cannot be read is refused.
#pragma once

#include "hlo/proto/hlo.pb.h"
#include "hlo/support/error.hpp"

#include <string>
#include <vector>

namespace ganglion::hlo::wire {

/// XLA's numbers for kinds of aliases.
inline constexpr int may_alias = 1;
inline constexpr int must_alias = 2;

/// Throws `corrupt_data` about `where`, e.g. "main/add.3".
[[noreturn]] void refuse(const std::string &message, const std::string &where);

inline void check(bool holds, const std::string &message,
                  const std::string &where) {
  if (!holds)
    refuse(message, where);
}

/// Throws when `m` or a message in it has fields that our description of it
/// lacks: they might change what the module means.
void check_known(const google::protobuf::Message &m);

/// Writes `list` to a repeated field.
template <class To, class From>
void put(To *to, const From &list) {
  to->Add(list.begin(), list.end());
}

/// A repeated field of numbers.
template <class From>
std::vector<std::int64_t> got(const From &list) {
  return {list.begin(), list.end()};
}

} // namespace ganglion::hlo::wire
