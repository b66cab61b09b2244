#include "runtime/config/load_models.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <filesystem>

namespace ganglion::runtime {

namespace {

namespace fs = std::filesystem;

std::string path_of(std::string_view url) {
  for (const std::string_view prefix : {"file://", "file:"})
    if (url.starts_with(prefix))
      return std::string(url.substr(prefix.size()));
  return std::string(url);
}

/// The text up to `stop`, which is taken away with it.
std::string take_until(std::string_view &text, char stop) {
  const auto end = std::min(text.find(stop), text.size());
  std::string out(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return out;
}

model_entry entry_of(std::string_view text) {
  model_entry out;
  if (text.find('=') != std::string_view::npos) {
    const auto before = take_until(text, '=');
    std::string_view parts = before;
    out.name = take_until(parts, ':');
    out.version = take_until(parts, ':');
    out.engine = take_until(parts, ':');
    out.cores = parts;
  }
  out.url = path_of(text);
  return out;
}

bool is_model(const fs::path &directory) {
  std::error_code ignored; // what cannot be seen is not there
  return fs::is_regular_file(directory / "config.json", ignored) ||
         fs::is_regular_file(directory / "serving.properties", ignored);
}

/// The store itself, or what lies in it.
std::vector<model_entry> models_in(const std::string &store) {
  std::vector<model_entry> out;
  std::error_code ignored; // a store that cannot be read holds nothing
  if (is_model(store))
    out.push_back({.url = store});
  else
    for (const auto &entry : fs::directory_iterator(store, ignored))
      if (is_model(entry.path()))
        out.push_back({.name = entry.path().filename().string(),
                       .url = entry.path().string()});
  return out;
}

std::string names_of(const std::vector<model_entry> &entries) {
  std::string out;
  for (const auto &entry : entries)
    out += (out.empty() ? "" : ", ") + entry.url;
  return out;
}

/// The one entry that `option` names.
model_entry only_one(const std::vector<model_entry> &entries,
                     const resolved_option &option) {
  if (entries.size() == 1)
    return entries.front();
  throw error(error_code::invalid_argument,
              entries.empty()
                  ? "no model there; expected a directory with config.json or "
                    "serving.properties"
                  : "names several models (" + names_of(entries) +
                        "); one is served by a process",
              option.where, option.key);
}

} // namespace

std::vector<model_entry> parse_load_models(std::string_view text,
                                           const std::string &where,
                                           const std::string &field) {
  std::vector<model_entry> out;
  while (!text.empty()) {
    const auto item = take_until(text, ',');
    out.push_back(entry_of(item));
    if (out.back().url.empty())
      throw error(error_code::invalid_argument,
                  "'" + item +
                      "' names no model; expected NAME:VERSION:ENGINE:"
                      "CORES=URL, of which all but the URL may be left out",
                  where, field);
  }
  return out;
}

std::vector<option_setting> settings_of_models(const option_values &values) {
  const auto &list = values.at("load_models");
  const auto &store = values.at("model_store");
  const auto &text = values.string("load_models");
  const auto &directory = values.string("model_store");
  if (text.empty() && directory.empty())
    return {};
  const bool from_store = text.empty() || text == "ALL";
  const auto &source = from_store ? store : list;
  if (text == "NONE" || (from_store && directory.empty()))
    throw error(error_code::invalid_argument,
                text + " leaves no model to serve; expected the URL of one" +
                    (from_store ? ", or model_store with it" : ""),
                list.where, list.key);
  const auto entry =
      only_one(from_store ? models_in(directory)
                          : parse_load_models(text, list.where, list.key),
               source);
  std::vector<option_setting> out;
  const auto add = [&](const char *option, const std::string &value) {
    if (!value.empty())
      out.push_back({find_option(engine_options(), option), value,
                     source.origin, source.where, source.key});
  };
  add("model_id", entry.url);
  add("model_name", entry.name);
  add("engine", entry.engine);
  add("visible_cores", entry.cores);
  return out;
}

} // namespace ganglion::runtime
