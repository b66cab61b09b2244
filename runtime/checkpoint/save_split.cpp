#include "runtime/checkpoint/save_split.hpp"

#include "runtime/checkpoint/atomic_file.hpp"
#include "runtime/checkpoint/file_error.hpp"
#include "runtime/checkpoint/torch_writer.hpp"
#include "runtime/json/writer.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace ganglion::runtime {

namespace {

namespace fs = std::filesystem;

/// Whether a file is one of the small ones that say what the model is.
bool is_model_file(const fs::path &path) {
  const auto name = path.filename().string();
  const bool described = name.ends_with(".json") || name.ends_with(".txt") ||
                         name.ends_with(".model") || name.ends_with(".jinja");
  const bool listed = name.ends_with(".index.json");
  return described && !listed;
}

/// "p7.model.norm.weight", with nothing in it that a file name may not have.
std::string file_name(std::size_t index, const std::string &tensor) {
  constexpr std::size_t longest = 200;
  std::string out = "p" + std::to_string(index) + ".";
  for (const unsigned char c : tensor.substr(0, longest))
    if (std::isalnum(c) || c == '_' || c == '-' || c == '.')
      out += static_cast<char>(c);
    else if (c == ' ')
      out += '_';
  return out;
}

/// As Python writes it with indent 2.
std::string list_text(const std::vector<std::string> &names) {
  std::string out = "{";
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i > 0 ? ",\n  " : "\n  ") + json::quote(names[i]) + ": " +
           json::quote(file_name(i, names[i]));
  return out + "\n}";
}

} // namespace

void copy_model_files(const std::string &source, const std::string &directory) {
  make_directories(directory);
  std::error_code status;
  for (const auto &entry : fs::directory_iterator(source, status)) {
    if (!entry.is_regular_file(status) || !is_model_file(entry.path()))
      continue;
    const auto to = fs::path(directory) / entry.path().filename();
    fs::copy_file(entry.path(), to, fs::copy_options::overwrite_existing,
                  status);
    if (status)
      throw file_error(to.string(), "copy", status.value());
  }
  if (status)
    throw file_error(source, "list", status.value());
}

void write_split(const checkpoint &weights, const std::string &directory) {
  const auto inside = directory + "/pytorch_model.bin/";
  make_directories(inside);
  const auto names = weights.names();
  tbb::parallel_for(std::size_t{0}, names.size(), [&](std::size_t i) {
    write_torch_tensor(inside + file_name(i, names[i]), weights.at(names[i]));
  });
  write_atomically(inside + "key_to_filename.json", list_text(names));
}

void save_pretrained_split(const std::string &source,
                           const std::string &directory) {
  const auto weights = checkpoint::open(source);
  std::error_code ignored; // a directory that is not there is another one
  if (fs::equivalent(source, directory, ignored))
    throw error(error_code::invalid_argument,
                "is the directory to read from as well; name another one",
                directory);
  copy_model_files(source, directory);
  write_split(*weights, directory);
}

} // namespace ganglion::runtime
