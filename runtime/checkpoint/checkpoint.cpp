#include "runtime/checkpoint/checkpoint.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/presharded_files.hpp"
#include "runtime/checkpoint/shard_index.hpp"
#include "runtime/checkpoint/split_directory.hpp"

#include <filesystem>
#include <functional>

namespace ganglion::runtime {

namespace {

constexpr const char *single_name = "model.safetensors";
constexpr const char *index_name = "model.safetensors.index.json";
constexpr const char *torch_name = "pytorch_model.bin";
constexpr const char *torch_index_name = "pytorch_model.bin.index.json";
constexpr const char *split_list_name = "key_to_filename.json";

bool present(const std::string &directory, const char *name) {
  std::error_code ignored; // what cannot be seen is not there
  return std::filesystem::exists(directory + "/" + name, ignored);
}

bool is_split(const std::string &directory, const char *name) {
  std::error_code ignored;
  return std::filesystem::is_directory(directory + "/" + name, ignored);
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
  throw error(error_code::not_found,
              "no weights found; looked for " + std::string(single_name) +
                  ", " + index_name + ", " + torch_name + " and " +
                  torch_index_name,
              directory);
}

[[noreturn]] void missing_shard(const std::string &directory,
                                const std::string &file,
                                const std::string &index) {
  throw error(error_code::not_found,
              "shard '" + file + "' named by " + index + " is missing",
              directory);
}

using weights_file = std::variant<safetensors_file, torch_file>;

/// Names decide, so that a file of the other format is refused, not guessed.
weights_file open_file(const std::string &path) {
  if (path.ends_with(".bin"))
    return torch_file::open(path);
  return safetensors_file::open(path);
}

const std::vector<tensor_view> &tensors_of(const weights_file &file) {
  return std::visit(
      [](const auto &f) -> const std::vector<tensor_view> & {
        return f.tensors();
      },
      file);
}

const mapped_file &mapping_of(const weights_file &file) {
  return std::visit(
      [](const auto &f) -> const mapped_file & { return f.mapping(); }, file);
}

} // namespace

bool checkpoint::present_in(const std::string &directory) {
  for (const char *name : {single_name, index_name, torch_name,
                           torch_index_name, presharded_head_file})
    if (present(directory, name))
      return true;
  return false;
}

std::shared_ptr<const checkpoint> checkpoint::open(const std::string &directory,
                                                   checkpoint_form form) {
  require_directory(directory);
  std::shared_ptr<checkpoint> out(new checkpoint);
  out->directory_ = directory;
  if (form == checkpoint_form::split) {
    if (!is_split(directory, torch_name))
      throw error(error_code::not_found,
                  "has no directory " + std::string(torch_name) +
                      " with one file per tensor, which load_split_model needs",
                  directory, "load_split_model");
    out->add_split(torch_name);
  } else if (form == checkpoint_form::presharded) {
    out->add_presharded();
  } else if (present(directory, single_name))
    out->add_file(single_name);
  else if (present(directory, index_name))
    out->add_shards(index_name);
  else if (is_split(directory, torch_name))
    out->add_split(torch_name);
  else if (present(directory, torch_name))
    out->add_file(torch_name);
  else if (present(directory, torch_index_name))
    out->add_shards(torch_index_name);
  else
    no_weights(directory);
  return out;
}

void checkpoint::add_file(const std::string &name) {
  files_.push_back(open_file(directory_ + "/" + name));
  for (const auto &tensor : tensors_of(files_.back()))
    by_name_.emplace(tensor.name, &tensor);
}

void checkpoint::add_shards(const std::string &name) {
  const auto index = shard_index::load(directory_ + "/" + name);
  for (const auto &file : index.files()) {
    if (!present(directory_, file.c_str()))
      missing_shard(directory_, file, name);
    const auto path = directory_ + "/" + file;
    files_.push_back(open_file(path));
    by_name_.merge(index.select(file, tensors_of(files_.back()), path));
  }
}

void checkpoint::add_split(const std::string &name) {
  const auto inside = directory_ + "/" + name + "/";
  for (const auto &[tensor, file] :
       load_split_files(inside + split_list_name)) {
    files_.push_back(torch_file::open_tensor(inside + file, tensor));
    by_name_.emplace(tensor, &tensors_of(files_.back()).front());
  }
}

/// Names are those of the weights: keys of a layer's file with its prefix.
void checkpoint::add_presharded() {
  const auto add = [&](const std::string &file, const std::string &prefix) {
    files_.push_back(open_file(directory_ + "/" + file));
    for (const auto &tensor : tensors_of(files_.back()))
      by_name_.emplace(prefix + tensor.name, &tensor);
  };
  if (!present(directory_, presharded_head_file))
    throw error(error_code::not_found,
                "is_presharded_checkpoint is set in its config.json, but " +
                    std::string(presharded_head_file) + " is missing",
                directory_);
  add(presharded_head_file, "");
  for (std::int64_t layer = 0;
       present(directory_, presharded_layer_file(layer).c_str()); ++layer)
    add(presharded_layer_file(layer), "layers." + std::to_string(layer) + ".");
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

std::string checkpoint::file_of(std::string_view name) const {
  const auto at = by_name_.find(name);
  for (const auto &file : files_) {
    const auto &all = tensors_of(file);
    if (at != by_name_.end() && !all.empty() &&
        std::less_equal<>()(&all.front(), at->second) &&
        std::less_equal<>()(at->second, &all.back()))
      return std::visit([](const auto &f) { return f.where(); }, file);
  }
  return {};
}

std::vector<std::string> checkpoint::names() const {
  std::vector<std::string> out;
  out.reserve(by_name_.size());
  for (const auto &[name, tensor] : by_name_)
    out.push_back(name);
  return out;
}

std::vector<file_identity> checkpoint::identities() const {
  std::vector<file_identity> out;
  for (const auto &file : files_)
    out.push_back(mapping_of(file).identity());
  return out;
}

void checkpoint::release(const tensor_view &tensor) const {
  for (const auto &file : files_)
    mapping_of(file).release(tensor.bytes);
}

std::uint64_t checkpoint::total_bytes() const {
  std::uint64_t total = 0;
  for (const auto &[name, tensor] : by_name_)
    total += tensor->bytes.size();
  return total;
}

} // namespace ganglion::runtime
