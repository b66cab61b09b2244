// Builds zip archives and pickles byte by byte, sound ones and broken ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::testing {

using namespace std::string_literals;

inline std::string little(std::uint64_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(number >> (8 * i) & 0xff);
  return out;
}

/// An entry as the archive's directory and the entry itself describe it.
struct zip_entry {
  std::string name = {};
  std::string bytes = {};
  std::uint16_t method = 0;
  std::uint16_t flags = 0;
  std::uint64_t claimed_size = 0; ///< instead of the true one, unless 0
  std::string inner_name = {};    ///< instead of `name`, unless empty
  std::int64_t header_shift = 0;  ///< added to the true offset
  bool zip64 = false;             ///< sizes and offset in the extra field
};

/// What the record at the end says, where it should not be the truth.
struct zip_lies {
  std::int64_t rows = 0;  ///< added
  std::int64_t size = 0;  ///< added
  std::int64_t begin = 0; ///< added
  bool zip64 = false;     ///< true numbers, in the zip64 record
};

inline std::string zip_of(const std::vector<zip_entry> &entries,
                          const zip_lies &lies = {}) {
  std::string body, list;
  for (const auto &e : entries) {
    const auto header = body.size() + static_cast<std::size_t>(e.header_shift);
    const auto size = e.claimed_size ? e.claimed_size : e.bytes.size();
    const auto &inner = e.inner_name.empty() ? e.name : e.inner_name;
    body += "PK\3\4"s + std::string(22, '\0') + little(inner.size(), 2) +
            little(0, 2) + inner + e.bytes;
    const auto extra = e.zip64 ? "\1\0"s + little(24, 2) + little(size, 8) +
                                     little(size, 8) + little(header, 8)
                               : std::string();
    const std::uint64_t hidden = 0xffffffff;
    list += "PK\1\2"s + little(0, 4) + little(e.flags, 2) +
            little(e.method, 2) + little(0, 8) +
            little(e.zip64 ? hidden : size, 4) +
            little(e.zip64 ? hidden : size, 4) + little(e.name.size(), 2) +
            little(extra.size(), 2) + little(0, 2) + little(0, 8) +
            little(e.zip64 ? hidden : header, 4) + e.name + extra;
  }
  const auto rows = entries.size() + static_cast<std::size_t>(lies.rows);
  const auto size = list.size() + static_cast<std::size_t>(lies.size);
  const auto begin = body.size() + static_cast<std::size_t>(lies.begin);
  const auto end64 = body.size() + list.size();
  if (lies.zip64)
    list += "PK\6\6"s + little(44, 8) + little(0, 4) + little(0, 8) +
            little(rows, 8) + little(rows, 8) + little(size, 8) +
            little(begin, 8) + "PK\6\7"s + little(0, 4) + little(end64, 8) +
            little(1, 4);
  const std::uint64_t count = lies.zip64 ? 0xffff : rows;
  return body + list + "PK\5\6"s + little(0, 4) + little(count, 2) +
         little(count, 2) + little(size, 4) +
         little(lies.zip64 ? 0xffffffff : begin, 4) + little(0, 2);
}

inline std::string text_of(std::string_view text) {
  return "X" + little(text.size(), 4) + std::string(text);
}
inline std::string number_of(std::int64_t number) {
  return "\x8a\x08" + little(static_cast<std::uint64_t>(number), 8);
}
inline std::string numbers_of(const std::vector<std::int64_t> &numbers) {
  std::string out = "(";
  for (const auto number : numbers)
    out += number_of(number);
  return out + "t";
}
inline std::string global_of(const std::string &module,
                             const std::string &name) {
  return "c" + module + "\n" + name + "\n";
}

/// A tensor of a state dict, as torch.save writes it.
struct pickled_tensor {
  std::vector<std::int64_t> dims = {};
  std::vector<std::int64_t> strides = {};
  std::int64_t offset = 0;
  std::string type = "FloatStorage";
  std::int64_t elements = 6;
  std::string key = "0";
};

inline std::string storage_of(const pickled_tensor &t) {
  const std::string module =
      t.type == "UntypedStorage" ? "torch.storage" : "torch";
  return "(" + text_of("storage") + global_of(module, t.type) + text_of(t.key) +
         text_of("cpu") + number_of(t.elements) + "tQ";
}
inline std::string arguments_of(const pickled_tensor &t) {
  return storage_of(t) + number_of(t.offset) + numbers_of(t.dims) +
         numbers_of(t.strides) + "\x89" +
         global_of("collections", "OrderedDict") + ")R";
}
inline std::string tensor_of(const pickled_tensor &t) {
  return global_of("torch._utils", "_rebuild_tensor_v2") + "(" +
         arguments_of(t) + "tR";
}

/// Protocol 2, a dict of these names and values.
inline std::string dict_of(const std::string &items) {
  return "\x80\x02}(" + items + "u.";
}

/// A file with this pickle and one storage of six floats, 0 to 5.
inline std::string torch_bytes(const std::string &pickle) {
  std::string floats;
  for (const std::uint32_t bits :
       {0x0u, 0x3f800000u, 0x40000000u, 0x40400000u, 0x40800000u, 0x40a00000u})
    floats += little(bits, 4);
  return zip_of({{"m/data.pkl", pickle},
                 {"m/byteorder", "little"},
                 {"m/data/0", floats},
                 {"m/version", "3\n"}});
}

} // namespace ganglion::testing
