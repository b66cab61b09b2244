// Turns prompts into token ids and compiles grammars on a thread of its own,
// off the step path.
#pragma once

#include "actors/caf_boundary.hpp"
#include "actors/messages.hpp"

namespace ganglion::actors {

/// Receives `encode_prompt`, answers `prompt_encoded` or `request_refused`;
/// and `follow_grammar`. `vocabulary`: logits in a row.
/// `tokens` may be null: then every text is refused.
rt::actor spawn_tokenizer(rt::event_actor *parent,
                          std::shared_ptr<const runtime::tokenizer> tokens,
                          std::int64_t vocabulary);

} // namespace ganglion::actors
