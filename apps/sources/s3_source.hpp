// Models that lie under a prefix of an S3 bucket, or in an archive there.
#pragma once

#include "apps/sources/source_options.hpp"

#include <string>
#include <string_view>

namespace ganglion::apps {

/// Whether `text` begins with "s3://".
bool is_s3_url(std::string_view text);

/// The directory or archive that has, below `download_dir`, what `url` names.
/// Its name tells this state of the objects from others, so that a start
/// fetches only what changed. Throws what `fetch_file` throws,
/// `invalid_argument` for a URL without a bucket, `not_found` where nothing
/// lies there and `corrupt_data` for keys that lead elsewhere.
std::string fetch_from_s3(const std::string &url,
                          const source_options &options);

} // namespace ganglion::apps
