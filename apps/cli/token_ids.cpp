#include "apps/cli/token_ids.hpp"

#include "hlo/support/error.hpp"

#include <limits>

namespace ganglion::apps {

std::vector<std::int32_t> token_ids(const json::value &list) {
  std::vector<std::int32_t> out;
  for (const auto &item : list.items()) {
    const auto id = item.as_int();
    if (id < 0 || id > std::numeric_limits<std::int32_t>::max())
      throw error(error_code::invalid_argument,
                  std::to_string(id) + " is no token id; accepted: 0 or more",
                  item.where(), item.path());
    out.push_back(static_cast<std::int32_t>(id));
  }
  return out;
}

} // namespace ganglion::apps
