// What the server counts beside the engine. Belongs to the server's thread.
#pragma once

#include "apps/http/record.hpp"
#include "hlo/support/histogram.hpp"

#include <cstdint>
#include <map>

namespace ganglion::apps {

struct server_metrics {
  /// Responses that were begun, by status, and requests without any.
  std::map<unsigned, std::uint64_t> responses;
  std::uint64_t abandoned = 0; ///< clients left or were given up
  histogram took{.001, .005, .01, .025, .05, .1, .25,
                 .5,   1,    2.5, 5,    10,  30, 60};

  void take(const http_record &record) {
    ++responses[record.status];
    abandoned += record.complete ? 0 : 1;
    took.observe(record.took);
  }
};

} // namespace ganglion::apps
