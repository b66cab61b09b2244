#include "benchmarks/model/words.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::benchmarks {

std::vector<std::string> words_of(std::string_view text,
                                  const std::vector<std::string_view> &accepted,
                                  std::string_view option) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const auto word = text.substr(at, comma - at);
    if (std::ranges::find(accepted, word) == accepted.end()) {
      std::string list;
      for (const auto a : accepted)
        list += (list.empty() ? "" : ", ") + std::string(a);
      throw error(error_code::invalid_argument,
                  "'" + std::string(word) + "' is not one of " + list,
                  "command line", "--" + std::string(option));
    }
    out.emplace_back(word);
    at = comma + 1;
  }
  return out;
}

} // namespace ganglion::benchmarks
