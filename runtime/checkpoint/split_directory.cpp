#include "runtime/checkpoint/split_directory.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::runtime {

namespace {

constexpr std::size_t max_bytes = 1 << 26;

split_files read_members(const json::value &root) {
  split_files out;
  for (const auto &[name, value] : root.members()) {
    const std::string file = value.as_string();
    if (!is_plain_file_name(file))
      throw error(error_code::corrupt_data,
                  json::quote(file) + " is not the name of a file beside it",
                  root.where(), value.path());
    if (!out.emplace(name, file).second)
      throw error(error_code::corrupt_data, "given twice", root.where(),
                  value.path());
  }
  return out;
}

} // namespace

split_files load_split_files(const std::string &path) {
  const auto file = mapped_file::open(path);
  const auto bytes = file.bytes();
  return parse_split_files(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path);
}

split_files parse_split_files(std::string_view text, const std::string &where) {
  if (text.size() > max_bytes)
    throw error(error_code::corrupt_data,
                "larger than " + std::to_string(max_bytes) + " bytes", where);
  split_files out;
  try {
    const auto document = json::document::parse(text, where);
    out = read_members(document.root());
  } catch (const error &e) {
    throw error(error_code::corrupt_data, e.what(), where, e.field());
  }
  if (out.empty())
    throw error(error_code::corrupt_data, "names no tensors", where);
  return out;
}

} // namespace ganglion::runtime
