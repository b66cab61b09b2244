// A model's tokens by string and by id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ganglion::runtime {

/// Immutable. Ids need not be dense but are below `id_limit`.
class vocabulary {
public:
  static constexpr std::int64_t id_limit = 1 << 22;

  vocabulary() = default;
  /// Throws `corrupt_data` (at `where`, `field`) for an id outside
  /// [0, id_limit), and for a token or id that comes twice.
  vocabulary(std::vector<std::pair<std::string, std::int64_t>> tokens,
             const std::string &where, const std::string &field);

  vocabulary(vocabulary &&) = default;
  vocabulary &operator=(vocabulary &&) = default;

  /// The id of `token`, or -1.
  std::int32_t find(std::string_view token) const;
  /// The token with `id`, or nothing.
  std::optional<std::string_view> token(std::int32_t id) const;
  /// How many tokens there are.
  std::size_t size() const { return ids_.size(); }
  /// One more than the largest id.
  std::int32_t id_end() const {
    return static_cast<std::int32_t>(tokens_.size());
  }

private:
  std::vector<std::string> tokens_; // by id; holes are not in ids_
  std::unordered_map<std::string_view, std::int32_t> ids_; // into tokens_
};

} // namespace ganglion::runtime
