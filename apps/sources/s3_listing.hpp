// Reads the XML in which S3 lists objects.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ganglion::apps {

struct s3_object {
  std::string key;
  std::uint64_t size = 0;
  std::string etag; ///< without quotes
};

struct s3_listing {
  std::vector<s3_object> objects;
  std::string next = {}; ///< the token of the next page; empty: this was it
};

/// Throws `corrupt_data` naming `where`.
s3_listing parse_s3_listing(std::string_view xml, const std::string &where);

} // namespace ganglion::apps
