// The variable `loop`.
#pragma once

#include "runtime/chat/rendering.hpp"

#include <functional>

namespace ganglion::runtime::chat {

class loop_object : public object {
public:
  using keeps_item = std::function<bool(const value &)>;
  using run_again = std::function<value(const value &)>;

  /// Walks over `items`, leaving out those that `keeps`, if set, does not
  /// hold for; each is asked when its turn comes. `again` runs the loop for
  /// the items of loop(items); it may be empty.
  loop_object(std::vector<value> items, keeps_item keeps, run_again again,
              std::size_t depth)
      : items_(std::move(items)),
        keeps_(std::move(keeps)),
        again_(std::move(again)),
        depth_(depth) {}

  std::string type_name() const override { return "LoopContext"; }
  bool callable() const override { return true; }
  std::optional<value> member(rendering &run, std::string_view name) override;
  value call(rendering &run, const arguments &given) override;

  /// Goes to the next item; false after the last.
  bool advance();
  const value &current() const { return *current_; }
  /// The loop is over: nothing of its block is used any more.
  void finish() {
    keeps_ = nullptr;
    again_ = nullptr;
  }
  /// loop.changed(values) and loop.cycle(values)
  bool changed(rendering &run, const std::vector<value> &values);
  value cycle(rendering &run, const std::vector<value> &values) const;

private:
  // The item after the current one, looked for once.
  const std::optional<value> &peek();
  std::optional<value> fetch();
  std::size_t length();
  value position(std::string_view name);

  std::vector<value> items_;
  std::size_t place_ = 0; // of the next item to look at
  keeps_item keeps_;
  run_again again_;
  std::size_t depth_;
  std::size_t index_ = 0; // from 1
  std::optional<value> previous_, current_, next_;
  bool peeked_ = false;
  std::optional<value> last_changed_;
};

} // namespace ganglion::runtime::chat
