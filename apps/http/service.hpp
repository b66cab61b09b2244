// What all connections of a listener share.
#pragma once

#include "apps/http/cross_origin.hpp"
#include "apps/http/key_check.hpp"
#include "apps/http/limits.hpp"
#include "apps/http/record.hpp"
#include "apps/http/router.hpp"

#include <memory>

namespace boost::asio::ssl {
class context;
}

namespace ganglion::apps {

struct http_service {
  http_limits limits = {};
  http_router router;
  http_observer observe = {}; ///< may be empty
  std::shared_ptr<const clock> time = std::make_shared<steady_clock>();
  key_check keys = key_check({});
  cross_origin_policy cross_origin = {};
  std::shared_ptr<boost::asio::ssl::context> tls = {}; ///< null: plain HTTP
};

} // namespace ganglion::apps
