#include "runtime/checkpoint/state_dict.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/checkpoint/torch_tensor.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

/// Walks dicts, which may contain each other or themselves.
class flattener {
public:
  flattener(const pickle &from, const std::string &where)
      : from_(from),
        where_(where) {}

  void add(const pickle_dict &dict, const std::string &prefix,
           std::size_t depth) {
    if (depth > state_dict_limits::depth)
      fail("dicts nested deeper than " +
               std::to_string(state_dict_limits::depth),
           prefix);
    for (const auto &[key, value] : dict.items)
      add_item(prefix + name_of(key, prefix), value, depth);
  }

  std::map<std::string, pickle_ref> take() { return std::move(tensors_); }
  std::size_t left_out() const { return left_out_; }

private:
  [[noreturn]] void fail(const std::string &message,
                         const std::string &field) const {
    throw error(error_code::corrupt_data, message, where_, field);
  }

  std::string name_of(pickle_ref key, const std::string &prefix) const {
    const auto *text = from_.get<std::string_view>(key);
    if (!text)
      fail("a key that is not text; expected a state dict", prefix);
    if (text->size() + prefix.size() > state_dict_limits::name)
      fail("a name longer than " + std::to_string(state_dict_limits::name),
           prefix);
    return std::string(*text);
  }

  void add_item(const std::string &name, pickle_ref value, std::size_t depth) {
    if (++seen_ > state_dict_limits::entries)
      fail("more than " + std::to_string(state_dict_limits::entries) +
               " entries",
           name);
    if (const auto *inner = from_.get<pickle_dict>(value))
      add(*inner, name + ".", depth + 1);
    else if (!is_tensor(from_, value))
      ++left_out_;
    else if (!tensors_.emplace(name, value).second)
      fail("given twice", name);
  }

  const pickle &from_;
  const std::string &where_;
  std::map<std::string, pickle_ref> tensors_;
  std::size_t seen_ = 0;
  std::size_t left_out_ = 0;
};

} // namespace

std::map<std::string, pickle_ref> read_state_dict(const pickle &from,
                                                  const std::string &where) {
  const auto *root = from.get<pickle_dict>(from.root);
  if (!root || std::ranges::none_of(root->items, [&](const auto &item) {
        return is_tensor(from, item.second);
      }))
    throw error(error_code::corrupt_data,
                "not a state dict: expected a dict of tensors at the top",
                where, "data.pkl");
  flattener names(from, where);
  names.add(*root, "", 1);
  if (names.left_out() > 0)
    log::warn("{}: {} values that are not tensors, left out", where,
              names.left_out());
  return names.take();
}

} // namespace ganglion::runtime
