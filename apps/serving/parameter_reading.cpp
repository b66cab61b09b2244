#include "apps/serving/parameter_reading.hpp"

#include "hlo/support/error.hpp"

#include <limits>
#include <sstream>

namespace ganglion::apps {

using json::value;

void refuse_value(const value &v, const std::string &accepted) {
  throw error(error_code::invalid_argument,
              v.dump() + " is out of range; accepted: " + accepted, v.where(),
              v.path());
}

void refuse_unknown(const value &v) {
  throw error(error_code::invalid_argument,
              "unknown field; this server refuses what it does not know",
              v.where(), v.path());
}

void refuse_unsupported(const value &v) {
  throw error(error_code::unsupported,
              "this value is not supported by this server; leave it out",
              v.where(), v.path());
}

std::int64_t whole(const value &v, std::int64_t least, std::int64_t most) {
  const auto n = v.as_int();
  if (n < least || n > most)
    refuse_value(v, "whole numbers from " + std::to_string(least) + " to " +
                        std::to_string(most));
  return n;
}

std::int32_t count(const value &v) {
  return static_cast<std::int32_t>(
      whole(v, 0, std::numeric_limits<std::int32_t>::max()));
}

float real(const value &v, float least, float most) {
  const auto number = v.as_double();
  if (number >= least && number <= most)
    return static_cast<float>(number);
  std::ostringstream accepted;
  accepted << "numbers from " << least << " to " << most;
  refuse_value(v, accepted.str());
}

float real(const value &v) { return static_cast<float>(v.as_double()); }

bool is_off(const value &v) { return !v.as_bool(); }
bool is_on(const value &v) { return v.as_bool(); }
bool is_zero(const value &v) { return v.as_double() == 0; }
bool is_one(const value &v) { return v.as_double() == 1; }
bool is_empty(const value &v) {
  return v.is_string() ? v.as_string_view().empty() : v.size() == 0;
}
bool never(const value &) { return false; }

} // namespace ganglion::apps
