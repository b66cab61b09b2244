#include "runtime/checkpoint/checkpoint.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/shard_index.hpp"

#include <filesystem>

namespace ganglion::runtime {

namespace {

constexpr const char *single_name = "model.safetensors";
constexpr const char *index_name = "model.safetensors.index.json";

bool present(const std::string &directory, const char *name) {
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::exists(directory + "/" + name, ignored);
}

void require_directory(const std::string &path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return;
  if (std::filesystem::exists(path, status))
    throw error(error_code::invalid_argument,
                "is not a directory; expected one with config.json and " +
                    std::string(single_name),
                path);
  throw error(error_code::not_found,
              "no such directory; expected one with config.json and " +
                  std::string(single_name),
              path);
}

[[noreturn]] void no_weights(const std::string &directory) {
  for (const char *name : {"pytorch_model.bin", "pytorch_model.bin.index.json"})
    if (present(directory, name))
      throw error(error_code::unsupported,
                  "weights are in the pytorch format (" + std::string(name) +
                      "), which this version does not read; convert them to " +
                      single_name,
                  directory);
  throw error(error_code::not_found,
              "no weights found; looked for " + std::string(single_name) +
                  " and " + index_name,
              directory);
}

[[noreturn]] void missing_shard(const std::string &directory,
                                const std::string &file,
                                const std::string &index) {
  throw error(error_code::not_found,
              "shard '" + file + "' named by " + index + " is missing",
              directory);
}

} // namespace

std::shared_ptr<const checkpoint>
checkpoint::open(const std::string &directory) {
  require_directory(directory);
  std::shared_ptr<checkpoint> out(new checkpoint);
  out->directory_ = directory;
  if (present(directory, single_name))
    out->add_file(single_name);
  else if (present(directory, index_name))
    out->add_shards(index_name);
  else
    no_weights(directory);
  return out;
}

void checkpoint::add_file(const std::string &name) {
  files_.push_back(safetensors_file::open(directory_ + "/" + name));
  for (const auto &tensor : files_.back().tensors())
    by_name_.emplace(tensor.name, &tensor);
}

void checkpoint::add_shards(const std::string &name) {
  const auto index = shard_index::load(directory_ + "/" + name);
  for (const auto &file : index.files()) {
    if (!present(directory_, file.c_str()))
      missing_shard(directory_, file, name);
    files_.push_back(safetensors_file::open(directory_ + "/" + file));
    by_name_.merge(index.select(file, files_.back()));
  }
}

std::optional<tensor_view> checkpoint::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  if (at == by_name_.end())
    return std::nullopt;
  return *at->second;
}

tensor_view checkpoint::at(std::string_view name) const {
  if (auto found = find(name))
    return *std::move(found);
  throw error(error_code::not_found, "no such tensor", directory_,
              std::string(name));
}

bool checkpoint::contains(std::string_view name) const {
  return by_name_.find(name) != by_name_.end();
}

std::vector<std::string> checkpoint::names() const {
  std::vector<std::string> out;
  out.reserve(by_name_.size());
  for (const auto &[name, tensor] : by_name_)
    out.push_back(name);
  return out;
}

std::uint64_t checkpoint::total_bytes() const {
  std::uint64_t total = 0;
  for (const auto &[name, tensor] : by_name_)
    total += tensor->bytes.size();
  return total;
}

} // namespace ganglion::runtime
