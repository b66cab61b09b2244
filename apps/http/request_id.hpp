// Names for requests, in headers and logs.
#pragma once

#include "apps/http/message.hpp"

#include <string>

namespace ganglion::apps {

/// A name that no other request of this process has, hard to guess from
/// outside. Any thread.
std::string fresh_request_id();

/// What the client calls its request in x-request-id, if that is short and
/// harmless; a fresh name otherwise.
std::string request_id_of(const http_request &request);

} // namespace ganglion::apps
