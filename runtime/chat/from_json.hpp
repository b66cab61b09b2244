// JSON as a template sees it.
#pragma once

#include "runtime/chat/value.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::runtime::chat {

/// `source` with everything inside it, members in document order; whole
/// numbers written without a fraction are integers. Throws `invalid_argument`
/// naming the place where it nests too deeply or an integer needs more than
/// 64 bits.
value from_json(const json::value &source);

} // namespace ganglion::runtime::chat
