// Writes the bytes of responses: status line, headers, chunks.
#pragma once

#include "apps/http/message.hpp"

#include <string>
#include <string_view>

namespace ganglion::apps {

/// How the client learns where a body ends.
enum class body_framing { length, chunked, until_close };

/// The head of `response`, blank line included, with the headers that every
/// response of the contract carries.
std::string head_bytes(const http_response &response,
                       std::string_view request_id, body_framing framing,
                       bool keep_alive);

/// One chunk; `piece` must not be empty, which would end the body.
std::string chunk_bytes(std::string_view piece);
inline constexpr std::string_view last_chunk = "0\r\n\r\n";
inline constexpr std::string_view continue_bytes =
    "HTTP/1.1 100 Continue\r\n\r\n";

/// An error of the server itself: {"code", "type", "message"}.
http_response error_response(unsigned status, std::string_view type,
                             std::string_view message);

} // namespace ganglion::apps
