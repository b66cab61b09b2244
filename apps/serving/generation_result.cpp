#include "apps/serving/generation_result.hpp"

#include <charconv>
#include <cmath>

namespace ganglion::apps {

std::string float_text(float value) {
  if (!std::isfinite(value))
    return "null";
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  std::string out(digits, end);
  if (out.find_first_of(".e") == std::string::npos)
    out += ".0";
  return out;
}

} // namespace ganglion::apps
