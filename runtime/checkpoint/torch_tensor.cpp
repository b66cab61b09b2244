#include "runtime/checkpoint/torch_tensor.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

namespace {

using kind = torch_symbol_kind;

constexpr std::size_t max_rank = 64; // PyTorch's own

/// Reads one tensor's arguments, with its name for messages.
class tensor_reader {
public:
  tensor_reader(const pickle &from, const std::string &where,
                const std::string &name)
      : from_(from),
        where_(where),
        name_(name) {}

  torch_tensor read(const pickle_call &call) const;
  const pickle_call &unwrap(pickle_ref ref) const;

private:
  [[noreturn]] void fail(const std::string &message) const {
    throw error(error_code::corrupt_data, message, where_, name_);
  }
  template <class Kind>
  const Kind &expect(pickle_ref ref, const char *what) const {
    if (const auto *out = from_.get<Kind>(ref))
      return *out;
    fail(std::string("expected ") + what);
  }
  const torch_symbol &expect(pickle_ref ref, kind wanted,
                             const char *what) const {
    const auto &out = *expect<const torch_symbol *>(ref, what);
    if (out.kind != wanted)
      fail(std::string("expected ") + what);
    return out;
  }
  const std::vector<pickle_ref> &arguments(const pickle_call &call,
                                           std::size_t fewest) const;
  std::vector<std::int64_t> numbers(pickle_ref ref, const char *what) const;
  void read_storage(pickle_ref ref, torch_tensor &out) const;

  const pickle &from_;
  const std::string &where_;
  const std::string &name_;
};

const std::vector<pickle_ref> &
tensor_reader::arguments(const pickle_call &call, std::size_t fewest) const {
  const auto &out = expect<pickle_tuple>(call.arguments, "arguments").items;
  if (out.size() < fewest)
    fail(std::string(call.function->name) + " is given " +
         std::to_string(out.size()) + " arguments, needs " +
         std::to_string(fewest));
  return out;
}

/// The call that makes the tensor, be it a parameter's or plain.
const pickle_call &tensor_reader::unwrap(pickle_ref ref) const {
  const auto &outer = expect<pickle_call>(ref, "a tensor");
  if (outer.function->kind != kind::parameter)
    return outer;
  const auto &inner =
      expect<pickle_call>(arguments(outer, 1)[0], "a parameter's tensor");
  if (inner.function->kind == kind::parameter)
    fail("a parameter of a parameter");
  return inner;
}

std::vector<std::int64_t> tensor_reader::numbers(pickle_ref ref,
                                                 const char *what) const {
  const auto &items = expect<pickle_tuple>(ref, what).items;
  if (items.size() > max_rank)
    fail(std::to_string(items.size()) + " dimensions exceed the limit of " +
         std::to_string(max_rank));
  std::vector<std::int64_t> out;
  for (const pickle_ref item : items)
    out.push_back(expect<std::int64_t>(item, what));
  return out;
}

void tensor_reader::read_storage(pickle_ref ref, torch_tensor &out) const {
  const auto &persistent = expect<pickle_persistent>(ref, "a storage");
  const auto &items =
      expect<pickle_tuple>(persistent.identity, "a storage's identity").items;
  if (items.size() != 5 ||
      expect<std::string_view>(items[0], "'storage'") != "storage")
    fail("expected ('storage', type, key, device, elements)");
  const auto &type = expect(items[1], kind::storage, "a type of storage");
  out.dtype = type.dtype;
  out.storage = expect<std::string_view>(items[2], "a storage's key");
  const auto elements = expect<std::int64_t>(items[4], "a storage's size");
  std::int64_t bytes = 0;
  if (elements < 0 ||
      __builtin_mul_overflow(
          elements, static_cast<std::int64_t>(size_of(out.dtype)), &bytes))
    fail("a storage of " + std::to_string(elements) + " elements");
  out.storage_bytes = static_cast<std::uint64_t>(bytes);
}

torch_tensor tensor_reader::read(const pickle_call &call) const {
  const bool typed = call.function->kind == kind::typed_tensor;
  const auto &items = arguments(call, typed ? 7 : 6);
  torch_tensor out;
  read_storage(items[0], out);
  if (typed)
    out.dtype = expect(items[6], kind::element_type, "an element type").dtype;
  out.layout.offset = expect<std::int64_t>(items[1], "an offset");
  out.layout.dims = numbers(items[2], "dimensions as a tuple of numbers");
  out.layout.strides = numbers(items[3], "strides as a tuple of numbers");
  if (out.layout.dims.size() != out.layout.strides.size())
    fail(std::to_string(out.layout.dims.size()) + " dimensions but " +
         std::to_string(out.layout.strides.size()) + " strides");
  return out;
}

} // namespace

bool is_tensor(const pickle &from, pickle_ref ref) {
  return from.get<pickle_call>(ref) != nullptr;
}

torch_tensor read_torch_tensor(const pickle &from, pickle_ref ref,
                               const std::string &where,
                               const std::string &name) {
  const tensor_reader reader(from, where, name);
  return reader.read(reader.unwrap(ref));
}

} // namespace ganglion::runtime
