// The working state of an unpickler: values, stack, marks and memo, each
// access checked and each size bounded.
#pragma once

#include "runtime/checkpoint/pickle_value.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace ganglion::runtime {

/// Every member throws `corrupt_data` when the pickle asks for what is not
/// there or for more than `pickle_limits` allow.
class pickle_stack {
public:
  explicit pickle_stack(const std::string &where) : where_(where) {}

  void push(pickle_value value);
  void push_ref(pickle_ref ref) { stack_.push_back(ref); }
  pickle_ref pop();
  pickle_ref top() const;

  void mark();
  /// The values above the last mark, which is removed with them.
  std::vector<pickle_ref> pop_mark();

  void memoize(std::uint64_t key);
  /// Under the next free number.
  void memoize_next() { memoize(memo_.size()); }
  void recall(std::uint64_t key);

  /// The value as that kind; `what` says what was expected.
  template <class Kind>
  Kind &expect(pickle_ref ref, const char *what) {
    if (auto *out = std::get_if<Kind>(&values_[ref]))
      return *out;
    fail(std::string("expected ") + what);
  }

  /// Ends the work: the one value left.
  pickle finish();

  [[noreturn]] void fail(const std::string &message) const;

private:
  std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

  const std::string &where_;
  std::vector<pickle_value> values_;
  std::vector<pickle_ref> stack_;
  std::vector<std::size_t> marks_; ///< sizes of the stack
  std::unordered_map<std::uint64_t, pickle_ref> memo_;
};

} // namespace ganglion::runtime
