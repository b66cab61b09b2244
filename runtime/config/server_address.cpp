#include "runtime/config/server_address.hpp"

#include "hlo/support/error.hpp"

#include <charconv>
#include <string_view>

namespace ganglion::runtime {

namespace {

[[noreturn]] void refuse(const resolved_option &option,
                         const std::string &expected) {
  throw error(error_code::invalid_argument,
              "'" + std::get<std::string>(option.value) +
                  "' is not acceptable; expected " + expected,
              option.where, option.key);
}

/// "http://0.0.0.0:8080", "http://[::1]:80", "127.0.0.1:8080", ":8080".
server_address parsed(const resolved_option &option) {
  constexpr std::string_view scheme = "http://";
  const char *form = "http://HOST:PORT";
  std::string_view text = std::get<std::string>(option.value);
  if (text.starts_with(scheme))
    text.remove_prefix(scheme.size());
  while (text.ends_with('/'))
    text.remove_suffix(1);
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos)
    refuse(option, form);
  server_address out;
  const auto end = text.data() + text.size();
  const auto [next, failed] =
      std::from_chars(text.data() + colon + 1, end, out.port);
  if (failed != std::errc() || next != end)
    refuse(option, form);
  auto host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  if (host.find('/') != std::string_view::npos)
    refuse(option, form);
  out.host = host.empty() ? "0.0.0.0" : host;
  return out;
}

} // namespace

server_address address_of(const option_values &values) {
  server_address out{values.string("host"),
                     static_cast<std::uint16_t>(values.integer("port"))};
  const auto &inference = values.at("inference_address");
  if (!std::get<std::string>(inference.value).empty()) {
    const auto whole = parsed(inference);
    if (values.at("host").origin < inference.origin)
      out.host = whole.host;
    if (values.at("port").origin < inference.origin)
      out.port = whole.port;
  }
  const auto &management = values.at("management_address");
  if (!std::get<std::string>(management.value).empty() &&
      parsed(management) != out)
    refuse(management, "the address of inference, http://" + out.host + ":" +
                           std::to_string(out.port));
  return out;
}

} // namespace ganglion::runtime
