#include "runtime/chat/loop_object.hpp"

#include "runtime/chat/operators.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime::chat {

namespace {

/// loop.changed and loop.cycle as functions.
class loop_method : public object {
public:
  loop_method(loop_object &loop, bool cycles) : loop_(loop), cycles_(cycles) {}
  std::string type_name() const override { return "method"; }
  bool callable() const override { return true; }
  value call(rendering &run, const arguments &given) override {
    return cycles_ ? loop_.cycle(run, given.positional)
                   : value(loop_.changed(run, given.positional));
  }

private:
  loop_object &loop_;
  bool cycles_;
};

} // namespace

std::optional<value> loop_object::fetch() {
  while (place_ < items_.size()) {
    const auto &item = items_[place_++];
    if (!keeps_ || keeps_(item))
      return item;
  }
  return std::nullopt;
}

const std::optional<value> &loop_object::peek() {
  if (!std::exchange(peeked_, true))
    next_ = fetch();
  return next_;
}

bool loop_object::advance() {
  auto next =
      std::exchange(peeked_, false) ? std::exchange(next_, {}) : fetch();
  if (!next)
    return false;
  previous_ = std::exchange(current_, std::move(next));
  ++index_;
  return true;
}

std::size_t loop_object::length() {
  // Decides about all that is left, so that each item is asked about once.
  const bool ahead = peek().has_value();
  std::vector<value> left;
  while (auto item = fetch())
    left.push_back(std::move(*item));
  items_ = std::move(left);
  place_ = 0;
  keeps_ = nullptr;
  return index_ + ahead + items_.size();
}

value loop_object::position(std::string_view name) {
  if (name == "index")
    return index_;
  if (name == "index0")
    return index_ - 1;
  if (name == "length")
    return length();
  return length() - index_ + (name == "revindex");
}

std::optional<value> loop_object::member(rendering &run,
                                         std::string_view name) {
  constexpr std::string_view positions[] = {"index", "index0", "length",
                                            "revindex", "revindex0"};
  run.step();
  if (std::ranges::count(positions, name))
    return position(name);
  if (name == "first")
    return index_ == 1;
  if (name == "last")
    return !peek().has_value();
  if (name == "previtem")
    return previous_ ? *previous_
                     : rendering::missing("there is no previous item");
  if (name == "nextitem")
    return peek() ? *peek() : rendering::missing("there is no next item");
  if (name == "depth")
    return depth_;
  if (name == "depth0")
    return depth_ - 1;
  if (name == "cycle" || name == "changed")
    return run.own<loop_method>(*this, name == "cycle");
  return std::nullopt;
}

value loop_object::call(rendering &run, const arguments &given) {
  if (!again_)
    run.fail(failure::type, "The loop must have the 'recursive' marker to be "
                            "called recursively.");
  if (given.positional.size() != 1 || !given.named.empty())
    run.fail(failure::type, "loop() takes one argument");
  return again_(given.positional[0]);
}

bool loop_object::changed(rendering &run, const std::vector<value> &values) {
  const auto now = run.list(values, sequence_kind::tuple);
  if (last_changed_ && equal(run, *last_changed_, now))
    return false;
  last_changed_ = now;
  return true;
}

value loop_object::cycle(rendering &run,
                         const std::vector<value> &values) const {
  if (values.empty())
    run.fail(failure::type, "no items for cycling given");
  return values[(index_ - 1) % values.size()];
}

} // namespace ganglion::runtime::chat
