#include "runtime/tokenizer/vocabulary.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

vocabulary::vocabulary(std::vector<std::pair<std::string, std::int64_t>> tokens,
                       const std::string &where, const std::string &field) {
  const auto fail = [&](const std::string &what) {
    throw error(error_code::corrupt_data, what, where, field);
  };
  std::int64_t end = 0;
  for (const auto &[token, id] : tokens) {
    if (id < 0 || id >= id_limit)
      fail("token '" + token + "' has the id " + std::to_string(id) +
           "; ids are from 0 to " + std::to_string(id_limit - 1));
    end = std::max(end, id + 1);
  }
  tokens_.resize(static_cast<std::size_t>(end));
  std::vector<bool> taken(tokens_.size());
  ids_.reserve(tokens.size());
  for (auto &[token, id] : tokens) {
    const auto at = static_cast<std::size_t>(id);
    if (taken[at])
      fail("two tokens have the id " + std::to_string(id));
    taken[at] = true;
    tokens_[at] = std::move(token);
    if (!ids_.emplace(tokens_[at], static_cast<std::int32_t>(id)).second)
      fail("token '" + tokens_[at] + "' comes twice");
  }
}

std::int32_t vocabulary::find(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? -1 : found->second;
}

std::optional<std::string_view> vocabulary::token(std::int32_t id) const {
  if (id < 0 || id >= id_end())
    return std::nullopt;
  const std::string &token = tokens_[static_cast<std::size_t>(id)];
  // Only a hole and the empty token have no text; the map tells them apart.
  if (token.empty() && find(token) != id)
    return std::nullopt;
  return token;
}

} // namespace ganglion::runtime
