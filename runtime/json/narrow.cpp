#include "runtime/json/narrow.hpp"

#include "hlo/support/error.hpp"

#include <cmath>
#include <limits>

namespace ganglion::json {

namespace {

[[noreturn]] void refuse(const value &number, const char *accepted) {
  throw error(error_code::invalid_argument,
              number.dump() + " is out of range; accepted: " + accepted,
              number.where(), number.path());
}

} // namespace

std::int32_t int32_of(const value &number) {
  const auto wide = number.as_int();
  if (const auto out = static_cast<std::int32_t>(wide); out == wide)
    return out;
  refuse(number, "32 bits");
}

float float_of(const value &number) {
  const double wide = number.as_double();
  if (std::abs(wide) > double(std::numeric_limits<float>::max()))
    refuse(number, "what an f32 can hold");
  return static_cast<float>(wide);
}

std::vector<std::int32_t> token_ids(const value &object,
                                    std::string_view field) {
  std::vector<std::int32_t> out;
  const auto found = object.find(field);
  if (!found)
    return out;
  if (!found->is_array())
    return {int32_of(*found)};
  for (const auto &item : found->items())
    out.push_back(int32_of(item));
  return out;
}

} // namespace ganglion::json
