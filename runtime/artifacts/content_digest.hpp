// What a checkpoint is, whatever its files are called and however it is cut
// into them.
#pragma once

#include "runtime/artifacts/digest.hpp"
#include "runtime/artifacts/digest_memo.hpp"
#include "runtime/checkpoint/checkpoint.hpp"

namespace ganglion::runtime {

/// Of the names, types, dimensions and bytes of all tensors. Reads everything,
/// in parallel.
digest content_digest(const checkpoint &weights);

/// The same, from `memo` when the files are as they were.
digest content_digest(const checkpoint &weights, const digest_memo &memo);

} // namespace ganglion::runtime
