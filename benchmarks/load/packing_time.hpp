// What a start cannot do without: packing all weights once.
#pragma once

#include "runtime/config/engine_config.hpp"

namespace ganglion::benchmarks {

/// Seconds for packing the weights of all ranks into fresh memory, ranks in
/// parallel, all cores, with the programs at hand and nothing else running.
/// Throws what loading throws.
double seconds_to_pack(const runtime::engine_config &config);

} // namespace ganglion::benchmarks
