#include "runtime/checkpoint/pickle_stack.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/unpickler.hpp"

#include <utility>

namespace ganglion::runtime {

void pickle_stack::fail(const std::string &message) const {
  throw error(error_code::corrupt_data, "malformed pickle: " + message, where_,
              "data.pkl");
}

void pickle_stack::push(pickle_value value) {
  if (values_.size() == pickle_limits::values)
    fail("more than " + std::to_string(pickle_limits::values) + " values");
  stack_.push_back(static_cast<pickle_ref>(values_.size()));
  values_.push_back(std::move(value));
}

pickle_ref pickle_stack::top() const {
  if (stack_.size() <= floor())
    fail("a value is missing");
  return stack_.back();
}

pickle_ref pickle_stack::pop() {
  const pickle_ref out = top();
  stack_.pop_back();
  return out;
}

void pickle_stack::mark() {
  if (marks_.size() == pickle_limits::open_marks)
    fail("nested deeper than " + std::to_string(pickle_limits::open_marks));
  marks_.push_back(stack_.size());
}

std::vector<pickle_ref> pickle_stack::pop_mark() {
  if (marks_.empty())
    fail("a mark is missing");
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(floor());
  std::vector<pickle_ref> out(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return out;
}

void pickle_stack::memoize(std::uint64_t key) {
  memo_[key] = top();
  if (memo_.size() > pickle_limits::values)
    fail("more than " + std::to_string(pickle_limits::values) +
         " values to remember");
}

void pickle_stack::recall(std::uint64_t key) {
  const auto at = memo_.find(key);
  if (at == memo_.end())
    fail("nothing was remembered as " + std::to_string(key));
  push_ref(at->second);
}

pickle pickle_stack::finish() {
  const pickle_ref root = pop();
  if (!stack_.empty() || !marks_.empty())
    fail("values are left over at its end");
  return {std::move(values_), root};
}

} // namespace ganglion::runtime
