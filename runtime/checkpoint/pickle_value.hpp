// What a pickle may hold here: plain data, and the few names of PyTorch that
// describe tensors. Values refer to each other by number.
#pragma once

#include "runtime/checkpoint/torch_symbol.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ganglion::runtime {

/// The number of a value in its `pickle`. Values may refer to themselves.
using pickle_ref = std::uint32_t;

struct pickle_none {};
struct pickle_tuple {
  std::vector<pickle_ref> items;
};
struct pickle_list {
  std::vector<pickle_ref> items;
};
/// In the order of insertion; a key may occur again.
struct pickle_dict {
  std::vector<std::pair<pickle_ref, pickle_ref>> items;
};
/// An object that a function of PyTorch would make; it is not called.
struct pickle_call {
  const torch_symbol *function;
  pickle_ref arguments; ///< a tuple
};
/// An object stored outside the pickle, under this identity.
struct pickle_persistent {
  pickle_ref identity;
};

/// Text is borrowed from the pickled bytes.
using pickle_value =
    std::variant<pickle_none, bool, std::int64_t, double, std::string_view,
                 const torch_symbol *, pickle_tuple, pickle_list, pickle_dict,
                 pickle_call, pickle_persistent>;

/// All values of one pickle; `root` is what it stands for.
struct pickle {
  std::vector<pickle_value> values;
  pickle_ref root = 0;

  template <class Kind>
  const Kind *get(pickle_ref ref) const {
    return std::get_if<Kind>(&values[ref]);
  }
};

} // namespace ganglion::runtime
