#include "runtime/checkpoint/safetensors_header.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/tensor_view.hpp"
#include "runtime/json/reader.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace ganglion::runtime {

namespace {

/// More commas than this and the parsed header would take gigabytes; a file
/// with 200,000 tensors has half as many.
constexpr std::ptrdiff_t max_commas = 1 << 21;

constexpr std::size_t max_rank = 64; // PyTorch's own

[[noreturn]] void fail(const std::string &message, const std::string &where,
                       const std::string &field = {}) {
  throw error(error_code::corrupt_data, message, where, field);
}

/// The only member called `key`.
json::value unique_member(const json::value &object, std::string_view key) {
  const auto members = object.members();
  const auto named = [&](const auto &member) { return member.first == key; };
  const auto count = std::ranges::count_if(members, named);
  if (count != 1)
    fail(count == 0 ? "required but missing" : "given twice", object.where(),
         object.path() + "." + std::string(key));
  return std::ranges::find_if(members, named)->second;
}

std::uint64_t read_unsigned(const json::value &number) {
  const std::int64_t value = number.as_int();
  if (value < 0)
    fail("must not be negative, is " + std::to_string(value), number.where(),
         number.path());
  return static_cast<std::uint64_t>(value);
}

tensor_dtype read_dtype(const json::value &value) {
  const std::string name = value.as_string();
  if (const auto dtype = find_dtype(name))
    return *dtype;
  fail("unknown element type '" + name + "'; known: " + dtype_names(),
       value.where(), value.path());
}

void check_size(const safetensors_entry &entry, std::uint64_t data_size,
                const json::value &offsets) {
  const auto range = "data_offsets [" + std::to_string(entry.begin) + ", " +
                     std::to_string(entry.end) + ")";
  if (entry.begin > entry.end)
    fail(range + " end before they begin", offsets.where(), entry.name);
  if (entry.end > data_size)
    fail(range + " lie outside the " + std::to_string(data_size) +
             " bytes of data (is the file truncated?)",
         offsets.where(), entry.name);
  const auto wanted = byte_size(entry.dtype, entry.dims);
  const auto what =
      std::string(to_string(entry.dtype)) + " " + dims_text(entry.dims);
  if (!wanted)
    fail("dimensions overflow: " + what, offsets.where(), entry.name);
  if (*wanted != entry.end - entry.begin)
    fail(what + " takes " + std::to_string(*wanted) + " bytes but " + range +
             " hold " + std::to_string(entry.end - entry.begin),
         offsets.where(), entry.name);
}

safetensors_entry read_entry(const std::string &name, const json::value &value,
                             std::uint64_t data_size) {
  safetensors_entry out;
  out.name = name;
  out.dtype = read_dtype(unique_member(value, "dtype"));
  const auto shape = unique_member(value, "shape");
  if (shape.size() > max_rank)
    fail(std::to_string(shape.size()) + " dimensions exceed the limit of " +
             std::to_string(max_rank),
         shape.where(), shape.path());
  for (const auto &dim : shape.items())
    out.dims.push_back(static_cast<std::int64_t>(read_unsigned(dim)));
  const auto offsets = unique_member(value, "data_offsets");
  const auto pair = offsets.items();
  if (pair.size() != 2)
    fail("expected two numbers, found " + std::to_string(pair.size()),
         offsets.where(), offsets.path());
  out.begin = read_unsigned(pair[0]);
  out.end = read_unsigned(pair[1]);
  check_size(out, data_size, offsets);
  return out;
}

/// Tensors must tile the data, so that no byte is hidden or read twice.
void check_tiling(const std::vector<safetensors_entry> &entries,
                  std::uint64_t data_size, const std::string &where) {
  std::uint64_t at = 0;
  for (const auto &entry : entries) {
    if (entry.begin != at)
      fail(std::string(entry.begin < at ? "overlaps the tensor before it"
                                        : "leaves a gap before it") +
               ": begins at " + std::to_string(entry.begin) + ", expected " +
               std::to_string(at),
           where, entry.name);
    at = entry.end;
  }
  if (at != data_size)
    fail("tensors end at byte " + std::to_string(at) + " but the data has " +
             std::to_string(data_size),
         where);
}

safetensors_header read_members(const json::value &root,
                                std::uint64_t data_size,
                                const std::string &where) {
  safetensors_header out;
  std::set<std::string> seen;
  for (const auto &[name, value] : root.members()) {
    if (!seen.insert(name).second)
      fail("given twice", where, name);
    if (name == "__metadata__") {
      for (const auto &[key, text] : value.members())
        out.metadata[key] = text.as_string();
    } else {
      out.entries.push_back(read_entry(name, value, data_size));
    }
  }
  std::ranges::sort(out.entries, {}, [](const safetensors_entry &e) {
    return std::tie(e.begin, e.end);
  });
  check_tiling(out.entries, data_size, where);
  return out;
}

} // namespace

safetensors_header read_safetensors_header(std::string_view text,
                                           std::uint64_t data_size,
                                           const std::string &where) {
  // The reference demands it too: padding may follow the JSON, not lead it.
  if (!text.starts_with('{'))
    fail("the header does not begin with '{'", where);
  if (std::ranges::count(text, ',') > max_commas)
    fail("the header lists more than " + std::to_string(max_commas) + " items",
         where);
  try {
    const auto document = json::document::parse(text, where);
    return read_members(document.root(), data_size, where);
  } catch (const error &e) {
    // A wrong type in a header is a damaged file, not a caller's mistake.
    fail(e.what(), where, e.field());
  }
}

} // namespace ganglion::runtime
