#include "runtime/checkpoint/torch_writer.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/torch_symbol.hpp"
#include "runtime/checkpoint/zip_writer.hpp"

namespace ganglion::runtime {

namespace {

/// Little-endian, as pickles have numbers.
template <class Number>
std::string little(Number value) {
  std::string out;
  for (std::size_t i = 0; i < sizeof value; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

// --- the opcodes that a tensor takes ----------------------------------------

std::string text(std::string_view s) {
  return "X" + little(static_cast<std::uint32_t>(s.size())) + std::string(s);
}

/// A number of up to 32 bits, or LONG1 of eight bytes.
std::string number(std::int64_t value) {
  if (value >= 0 && value < 0x7fffffff)
    return "J" + little(static_cast<std::uint32_t>(value));
  return "\x8a\x08" + little(static_cast<std::uint64_t>(value));
}

std::string tuple(const std::vector<std::int64_t> &items) {
  std::string out = "(";
  for (const auto item : items)
    out += number(item);
  return out + "t";
}

std::string global(std::string_view module, std::string_view name) {
  return "c" + std::string(module) + "\n" + std::string(name) + "\n";
}

std::vector<std::int64_t>
row_major_strides(std::span<const std::int64_t> dims) {
  std::vector<std::int64_t> out(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;)
    out[i - 1] = out[i] * std::max<std::int64_t>(dims[i], 1);
  return out;
}

/// _rebuild_tensor_v2(storage, 0, dims, strides, False, OrderedDict()).
std::string pickle_of(const tensor_view &tensor) {
  const auto elements = static_cast<std::int64_t>(tensor.element_count());
  const auto storage = "(" + text("storage") +
                       global("torch", storage_class(tensor.dtype)) +
                       text("0") + text("cpu") + number(elements) + "tQ";
  return "\x80\x02" + global("torch._utils", "_rebuild_tensor_v2") + "(" +
         storage + number(0) + tuple(tensor.dims) +
         tuple(row_major_strides(tensor.dims)) + "\x89" +
         global("collections", "OrderedDict") + ")RtR.";
}

} // namespace

void write_torch_tensor(const std::string &path, const tensor_view &tensor) {
  const std::string pickle = pickle_of(tensor);
  const std::string order = "little", version = "3\n";
  const auto bytes = [](const std::string &s) {
    return std::as_bytes(std::span(s));
  };
  zip_writer zip;
  zip.add("archive/data.pkl", bytes(pickle));
  zip.add("archive/byteorder", bytes(order));
  zip.add("archive/data/0", tensor.bytes);
  zip.add("archive/version", bytes(version));
  write_atomically(path, zip.finish());
}

} // namespace ganglion::runtime
