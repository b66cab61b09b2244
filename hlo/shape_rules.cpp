#include "hlo/shape_rules.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::hlo::shape_rules {

void check(bool holds, opcode op, const char *rule, shapes operands) {
  if (holds)
    return;
  std::string message = std::string(rule) + "; operands:";
  for (const shape *s : operands)
    message += " " + to_string(*s, false);
  throw error(error_code::invalid_argument, message,
              std::string(to_string(op)));
}

bool contains(const dims &list, std::int64_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

void check_dims(const dims &list, std::int64_t rank, opcode op,
                shapes operands) {
  for (auto d = list.begin(); d != list.end(); ++d)
    check(*d >= 0 && *d < rank && std::find(list.begin(), d, *d) == d, op,
          "dimension number out of range or repeated", operands);
}

} // namespace ganglion::hlo::shape_rules
