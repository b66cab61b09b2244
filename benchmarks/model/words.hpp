// Comma-separated words of an option.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ganglion::benchmarks {

/// The words of `text`, at least one, each among `accepted`. Throws
/// `invalid_argument` naming `option` and the word at fault.
std::vector<std::string> words_of(std::string_view text,
                                  const std::vector<std::string_view> &accepted,
                                  std::string_view option);

} // namespace ganglion::benchmarks
