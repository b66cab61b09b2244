#include "apps/serving/token_lists.hpp"

#include "apps/serving/parameter_reading.hpp"

#include <charconv>

namespace ganglion::apps {

void add_token_ids(std::vector<std::int32_t> &to, const json::value &v) {
  each(v, [&](const json::value &id) { to.push_back(count(id)); });
}

void add_token_biases(std::vector<runtime::token_bias> &to,
                      const json::value &v) {
  for (const auto &[name, bias] : v.members()) {
    std::int32_t token = 0;
    const auto [end, failure] =
        std::from_chars(name.data(), name.data() + name.size(), token);
    if (failure != std::errc() || end != name.data() + name.size())
      refuse_value(v, "token ids as names");
    to.push_back({token, real(bias)});
  }
}

} // namespace ganglion::apps
