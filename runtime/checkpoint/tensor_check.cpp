#include "runtime/checkpoint/tensor_check.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/weight_type.hpp"

#include <algorithm>
#include <set>

namespace ganglion::runtime {

namespace {

/// Of each kind: enough for any model, and not for filling a log.
constexpr std::size_t most_listed = 1000;

std::string section(const char *title, const std::vector<std::string> &items) {
  if (items.empty())
    return {};
  std::string out =
      "; " + std::string(title) + " (" + std::to_string(items.size()) + "): ";
  const auto listed = std::min(items.size(), most_listed);
  for (std::size_t i = 0; i < listed; ++i)
    out += (i ? ", " : "") + items[i];
  if (listed < items.size())
    out += ", and " + std::to_string(items.size() - listed) + " more";
  return out;
}

/// Differences between one expected tensor and what there is.
class difference_list {
public:
  explicit difference_list(const checkpoint &weights) : weights_(weights) {}

  void compare(const expected_tensor &wanted) {
    const auto found = weights_.find(wanted.name);
    if (!found) {
      missing_.push_back(wanted.name);
      return;
    }
    if (found->dims != wanted.dims)
      misshaped_.push_back(told(wanted.name) + " is " + dims_text(found->dims) +
                           ", expected " + dims_text(wanted.dims));
    if (!weight_type(found->dtype))
      mistyped_.push_back(told(wanted.name) + " is " +
                          std::string(to_string(found->dtype)) +
                          ", accepted: " + weight_type_names);
  }

  void add_unexpected(const std::string &name) {
    unexpected_.push_back(told(name));
  }

  std::string text() const {
    return section("missing", missing_) + section("mis-shaped", misshaped_) +
           section("mis-typed", mistyped_) + section("unexpected", unexpected_);
  }

private:
  /// The name with its file, which says where to look among many.
  std::string told(const std::string &name) const {
    const auto path = weights_.file_of(name);
    return name + " (" + path.substr(path.rfind('/') + 1) + ")";
  }

  const checkpoint &weights_;
  std::vector<std::string> missing_, misshaped_, mistyped_, unexpected_;
};

} // namespace

void check_tensors(const checkpoint &weights,
                   std::span<const expected_tensor> expected,
                   const std::function<bool(std::string_view)> &ignored) {
  difference_list differences(weights);
  std::set<std::string_view> known;
  for (const auto &wanted : expected) {
    known.insert(wanted.name);
    differences.compare(wanted);
  }
  for (const auto &name : weights.names())
    if (!known.contains(name) && !(ignored && ignored(name)))
      differences.add_unexpected(name);
  if (const auto text = differences.text(); !text.empty())
    throw error(error_code::corrupt_data,
                "the weights do not fit the model" + text, weights.directory());
}

} // namespace ganglion::runtime
