// The number of a request, which its host chooses.
#pragma once

#include <cstdint>

namespace ganglion::runtime {

using request_id = std::uint64_t;

} // namespace ganglion::runtime
