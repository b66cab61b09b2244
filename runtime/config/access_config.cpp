#include "runtime/config/access_config.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const option_values &values, const char *name,
                         const std::string &message) {
  const auto &option = values.at(name);
  throw error(error_code::invalid_argument, message, option.where, option.key);
}

/// Mentions may hold several items each, with commas between.
std::vector<std::string> items_of(const option_values &values,
                                  const char *name) {
  std::vector<std::string> out;
  for (const auto &mention : values.get<std::vector<std::string>>(name)) {
    std::size_t begin = 0;
    while (begin <= mention.size()) {
      const auto end = std::min(mention.find(',', begin), mention.size());
      auto item = mention.substr(begin, end - begin);
      item.erase(0, item.find_first_not_of(' '));
      item.erase(item.find_last_not_of(' ') + 1);
      if (!item.empty())
        out.push_back(std::move(item));
      begin = end + 1;
    }
  }
  return out;
}

std::chrono::duration<double> seconds(const option_values &values,
                                      const char *name) {
  return std::chrono::duration<double>(values.real(name));
}

/// They go into headers as they are.
void check_header_text(const option_values &values, const char *name) {
  for (const char c : values.string(name))
    if (c < ' ' || c > '~')
      refuse(values, name, "has a character that no header may have");
}

} // namespace

access_config access_part(const option_values &values) {
  access_config out;
  out.api_keys = items_of(values, "api_key");
  out.api_key_file = values.string("api_key_file");
  out.cors_origins = items_of(values, "cors_allow_origins");
  out.cors_methods = values.string("cors_allow_methods");
  out.cors_headers = values.string("cors_allow_headers");
  check_header_text(values, "cors_allow_methods");
  check_header_text(values, "cors_allow_headers");
  out.certificate_file = values.string("certificate_file");
  out.private_key_file = values.string("private_key_file");
  if (out.certificate_file.empty() && !out.private_key_file.empty())
    refuse(values, "private_key_file", "needs certificate_file beside it");
  if (out.private_key_file.empty() && !out.certificate_file.empty())
    refuse(values, "certificate_file", "needs private_key_file beside it");
  out.max_connections =
      static_cast<std::size_t>(values.integer("max_connections"));
  out.max_header_size =
      static_cast<std::size_t>(values.integer("max_header_size"));
  out.keep_alive_timeout = seconds(values, "keep_alive_timeout");
  out.header_timeout = seconds(values, "header_timeout");
  out.body_timeout = seconds(values, "body_timeout");
  return out;
}

} // namespace ganglion::runtime
