#include "apps/http/response_writer.hpp"

#include "runtime/json/writer.hpp"

#include <charconv>

namespace ganglion::apps {

namespace {

// The contract's headers: answers are never to be stored on the way.
constexpr std::string_view constant_headers =
    "Pragma: no-cache\r\n"
    "Cache-Control: no-cache; no-store, must-revalidate, private\r\n"
    "Expires: Thu, 01 Jan 1970 00:00:00 UTC\r\n";

struct status_row {
  unsigned status;
  std::string_view reason;
};

constexpr status_row statuses[] = {
    {200, "OK"},
    {207, "Multi-Status"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {413, "Payload Too Large"},
    {422, "Unprocessable Entity"},
    {424, "Failed Dependency"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {503, "Service Unavailable"},
    {507, "Insufficient Storage"},
};

/// Empty for a status that this server does not use; clients ignore it.
std::string_view reason_of(unsigned status) {
  for (const auto &row : statuses)
    if (row.status == status)
      return row.reason;
  return {};
}

void add_header(std::string &out, std::string_view name,
                std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

} // namespace

std::string head_bytes(const http_response &response,
                       std::string_view request_id, body_framing framing,
                       bool keep_alive) {
  std::string out = "HTTP/1.1 " + std::to_string(response.status) + " ";
  out.append(reason_of(response.status)).append("\r\n");
  if (!response.content_type.empty())
    add_header(out, "Content-Type", response.content_type);
  add_header(out, "x-request-id", request_id);
  out += constant_headers;
  for (const auto &[name, value] : response.headers)
    add_header(out, name, value);
  if (framing == body_framing::length)
    add_header(out, "Content-Length", std::to_string(response.body.size()));
  else if (framing == body_framing::chunked)
    add_header(out, "Transfer-Encoding", "chunked");
  add_header(out, "Connection", keep_alive ? "keep-alive" : "close");
  return out + "\r\n";
}

std::string chunk_bytes(std::string_view piece) {
  char digits[2 * sizeof piece.size()];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, piece.size(), 16).ptr;
  std::string out(digits, end);
  out.append("\r\n").append(piece).append("\r\n");
  return out;
}

http_response error_response(unsigned status, std::string_view type,
                             std::string_view message) {
  // The contract's servers print these bodies indented.
  std::string body = "{\n  \"code\": " + std::to_string(status);
  body += ",\n  \"type\": " + json::quote(type);
  body += ",\n  \"message\": " + json::quote(message) + "\n}\n";
  http_response out;
  out.status = status;
  out.body = std::move(body);
  return out;
}

} // namespace ganglion::apps
