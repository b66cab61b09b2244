// The one place that knows Oniguruma: compiled patterns with the meaning that
// HuggingFace's tokenizers give them, and Oniguruma's own character classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime {

/// Byte offsets [first, second) into a text.
using span_of_text = std::pair<std::size_t, std::size_t>;

/// A compiled pattern. Immutable: any number of threads may search with it.
class regex {
public:
  /// Compiles `pattern`; throws `invalid_argument` with Oniguruma's reason,
  /// placed at `where` and `field`.
  regex(const std::string &pattern, const std::string &where,
        const std::string &field);

  /// Every match in `text` (UTF-8), left to right, not overlapping; an empty
  /// match right after another match is skipped. Throws `invalid_argument`
  /// when the pattern needs too many steps on this text.
  std::vector<span_of_text> find_all(std::string_view text) const;

private:
  std::shared_ptr<void> compiled_;
  std::string pattern_;
};

/// What kind of character each code point is, as Oniguruma's \p{L}, \p{N} and
/// \s see it, so that hand-written scanners agree with the patterns.
enum class char_class : std::uint8_t { other, letter, number, space };
char_class class_of(char32_t value);

} // namespace ganglion::runtime
