#include "runtime/checkpoint/tensor_check.hpp"

#include "hlo/support/error.hpp"

#include <set>

namespace ganglion::runtime {

namespace {

std::string section(const char *title, const std::vector<std::string> &items) {
  if (items.empty())
    return {};
  std::string out =
      "; " + std::string(title) + " (" + std::to_string(items.size()) + "): ";
  for (std::size_t i = 0; i < items.size(); ++i)
    out += (i ? ", " : "") + items[i];
  return out;
}

} // namespace

void check_tensors(const checkpoint &weights,
                   std::span<const expected_tensor> expected,
                   const std::function<bool(std::string_view)> &ignored) {
  std::vector<std::string> missing, misshaped, unexpected;
  std::set<std::string_view> known;
  for (const auto &wanted : expected) {
    known.insert(wanted.name);
    const auto found = weights.find(wanted.name);
    if (!found)
      missing.push_back(wanted.name);
    else if (found->dims != wanted.dims)
      misshaped.push_back(wanted.name + " is " + dims_text(found->dims) +
                          ", expected " + dims_text(wanted.dims));
  }
  for (auto &name : weights.names())
    if (!known.contains(name) && !(ignored && ignored(name)))
      unexpected.push_back(std::move(name));
  const std::string differences = section("missing", missing) +
                                  section("mis-shaped", misshaped) +
                                  section("unexpected", unexpected);
  if (!differences.empty())
    throw error(error_code::corrupt_data,
                "the weights do not fit the model" + differences,
                weights.directory());
}

} // namespace ganglion::runtime
