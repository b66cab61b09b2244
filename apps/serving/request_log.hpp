// The log of requests: a line of JSON for each.
#pragma once

#include "apps/http/record.hpp"

#include <string>

namespace ganglion::apps {

/// One object: the time, the request's name, its method and route, the
/// `model`, the status, what the handler noted, how long it took. No text of
/// prompts or answers.
std::string request_line(const http_record &record, const std::string &model,
                         const std::string &time);

/// Writes it to the log; nothing for probes and scrapes that went well, which
/// come every few seconds.
void log_request(const http_record &record, const std::string &model);

} // namespace ganglion::apps
