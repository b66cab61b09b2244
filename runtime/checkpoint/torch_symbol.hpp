// The Python names that a checkpoint may mention: the table is the whole list,
// and none of them is ever executed.
#pragma once

#include "runtime/checkpoint/tensor_dtype.hpp"

#include <string>
#include <string_view>

namespace ganglion::runtime {

enum class torch_symbol_kind {
  ordered_dict, ///< makes an empty dict
  tensor,       ///< _rebuild_tensor_v2: element type of its storage
  typed_tensor, ///< _rebuild_tensor_v3: element type given
  parameter,    ///< _rebuild_parameter: wraps a tensor
  storage,      ///< a class of storages, with its element type
  element_type, ///< torch.float32, ...
};

struct torch_symbol {
  std::string_view module;
  std::string_view name;
  torch_symbol_kind kind;
  tensor_dtype dtype = tensor_dtype::u8; ///< of storage and element_type
};

/// The symbol of that name, alive for ever. Throws `unsupported` naming the
/// function or class when it is not in the table.
const torch_symbol &find_torch_symbol(std::string_view module,
                                      std::string_view name,
                                      const std::string &where);

/// The class in module torch whose storages have that element type. Throws
/// `unsupported` when there is none.
std::string_view storage_class(tensor_dtype dtype);

/// Whether it is a function that a pickle may ask to call.
bool is_callable(const torch_symbol &symbol);

/// "torch._utils._rebuild_tensor_v2", unprintable bytes replaced, cut when
/// long: for messages about names that cannot be trusted.
std::string printable_name(std::string_view module, std::string_view name);

} // namespace ganglion::runtime
