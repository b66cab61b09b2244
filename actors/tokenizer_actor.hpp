// Turns prompts into token ids on a thread of its own, off the step path.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/messages.hpp"

namespace ganglion::actors {

/// Receives `encode_prompt`, answers `prompt_encoded` or `request_refused`.
/// `tokens` may be null: then every text is refused.
rt::actor spawn_tokenizer(rt::event_actor *parent,
                          std::shared_ptr<const runtime::tokenizer> tokens);

} // namespace ganglion::actors
