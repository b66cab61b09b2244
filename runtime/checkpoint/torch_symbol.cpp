#include "runtime/checkpoint/torch_symbol.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

using kind = torch_symbol_kind;

constexpr torch_symbol symbols[] = {
    {"collections", "OrderedDict", kind::ordered_dict},
    {"torch._utils", "_rebuild_tensor_v2", kind::tensor},
    {"torch._utils", "_rebuild_tensor_v3", kind::typed_tensor},
    {"torch._utils", "_rebuild_parameter", kind::parameter},
    {"torch._utils", "_rebuild_parameter_with_state", kind::parameter},
    {"torch", "DoubleStorage", kind::storage, tensor_dtype::f64},
    {"torch", "FloatStorage", kind::storage, tensor_dtype::f32},
    {"torch", "HalfStorage", kind::storage, tensor_dtype::f16},
    {"torch", "BFloat16Storage", kind::storage, tensor_dtype::bf16},
    {"torch", "LongStorage", kind::storage, tensor_dtype::i64},
    {"torch", "IntStorage", kind::storage, tensor_dtype::i32},
    {"torch", "ShortStorage", kind::storage, tensor_dtype::i16},
    {"torch", "CharStorage", kind::storage, tensor_dtype::i8},
    {"torch", "ByteStorage", kind::storage, tensor_dtype::u8},
    {"torch", "BoolStorage", kind::storage, tensor_dtype::boolean},
    {"torch", "UntypedStorage", kind::storage, tensor_dtype::u8},
    {"torch.storage", "UntypedStorage", kind::storage, tensor_dtype::u8},
    {"torch.storage", "_UntypedStorage", kind::storage, tensor_dtype::u8},
    {"torch", "float64", kind::element_type, tensor_dtype::f64},
    {"torch", "float32", kind::element_type, tensor_dtype::f32},
    {"torch", "float16", kind::element_type, tensor_dtype::f16},
    {"torch", "bfloat16", kind::element_type, tensor_dtype::bf16},
    {"torch", "float8_e5m2", kind::element_type, tensor_dtype::f8_e5m2},
    {"torch", "float8_e4m3fn", kind::element_type, tensor_dtype::f8_e4m3},
    {"torch", "int64", kind::element_type, tensor_dtype::i64},
    {"torch", "int32", kind::element_type, tensor_dtype::i32},
    {"torch", "int16", kind::element_type, tensor_dtype::i16},
    {"torch", "int8", kind::element_type, tensor_dtype::i8},
    {"torch", "uint64", kind::element_type, tensor_dtype::u64},
    {"torch", "uint32", kind::element_type, tensor_dtype::u32},
    {"torch", "uint16", kind::element_type, tensor_dtype::u16},
    {"torch", "uint8", kind::element_type, tensor_dtype::u8},
    {"torch", "bool", kind::element_type, tensor_dtype::boolean},
};

} // namespace

const torch_symbol &find_torch_symbol(std::string_view module,
                                      std::string_view name,
                                      const std::string &where) {
  for (const auto &symbol : symbols)
    if (symbol.name == name && symbol.module == module)
      return symbol;
  throw error(error_code::unsupported,
              "pickle calls " + printable_name(module, name) +
                  ": refused; only tensors, parameters, their storages and "
                  "plain data are read",
              where, "data.pkl");
}

std::string_view storage_class(tensor_dtype dtype) {
  for (const auto &symbol : symbols)
    if (symbol.kind == kind::storage && symbol.dtype == dtype &&
        symbol.module == "torch")
      return symbol.name;
  throw error(error_code::unsupported,
              "torch has no storages of type " + std::string(to_string(dtype)));
}

bool is_callable(const torch_symbol &symbol) {
  return symbol.kind != kind::storage && symbol.kind != kind::element_type;
}

std::string printable_name(std::string_view module, std::string_view name) {
  constexpr std::size_t longest = 60;
  std::string out(module.substr(0, longest));
  out += '.';
  out += name.substr(0, longest);
  std::ranges::replace_if(
      out, [](char c) { return c <= ' ' || c > '~'; }, '?');
  return out;
}

} // namespace ganglion::runtime
