#include "runtime/checkpoint/shard_index.hpp"

#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/checkpoint/mapped_file.hpp"
#include "runtime/checkpoint/plain_file_name.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

#include <set>
#include <utility>

namespace ganglion::runtime {

namespace {

constexpr std::size_t max_bytes = 100'000'000;

} // namespace

shard_index shard_index::load(const std::string &path) {
  const auto file = mapped_file::open(path);
  const auto bytes = file.bytes();
  return parse({reinterpret_cast<const char *>(bytes.data()), bytes.size()},
               path);
}

shard_index shard_index::parse(std::string_view text,
                               const std::string &where) {
  shard_index out;
  out.where_ = where;
  std::set<std::string> seen;
  if (text.size() > max_bytes)
    throw error(error_code::corrupt_data,
                "larger than " + std::to_string(max_bytes) + " bytes", where);
  try {
    const auto document = json::document::parse(text, where);
    for (const auto &[name, value] :
         document.root().at("weight_map").members()) {
      const std::string file = value.as_string();
      if (!is_plain_file_name(file))
        throw error(error_code::corrupt_data,
                    json::quote(file) + " is not the name of a file beside it",
                    where, value.path());
      if (!seen.insert(name).second)
        throw error(error_code::corrupt_data, "given twice", where,
                    value.path());
      out.tensors_of_file_[file].push_back(name);
    }
  } catch (const error &e) {
    throw error(error_code::corrupt_data, e.what(), where, e.field());
  }
  if (seen.empty())
    throw error(error_code::corrupt_data, "names no tensors", where,
                "weight_map");
  return out;
}

std::vector<std::string> shard_index::files() const {
  std::vector<std::string> out;
  for (const auto &[file, names] : tensors_of_file_)
    out.push_back(file);
  return out;
}

shard_index::tensor_map
shard_index::select(const std::string &file, std::span<const tensor_view> shard,
                    const std::string &shard_where) const {
  tensor_map present, out;
  for (const auto &tensor : shard)
    present.emplace(tensor.name, &tensor);
  std::string absent; // each with a comma, for a name may be empty
  for (const auto &name : tensors_of_file_.at(file)) {
    if (auto found = present.extract(name))
      out.insert(std::move(found));
    else
      absent += ", " + name;
  }
  if (!absent.empty())
    throw error(error_code::corrupt_data,
                "does not contain what " + where_ +
                    " places in it: " + absent.substr(2),
                shard_where);
  for (const auto &[name, tensor] : present)
    log::warn("{}: {}: not in the index, left out", shard_where, name);
  return out;
}

} // namespace ganglion::runtime
