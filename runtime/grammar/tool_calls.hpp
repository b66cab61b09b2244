// Calls of tools as grammars: what a model must write that has to call one.
#pragma once

#include "runtime/grammar/json_text.hpp"
#include "runtime/grammar/output_form.hpp"

namespace ganglion::runtime::grammar {

/// One call of one of `form.tools` or, where `form.several`, one or more, as
/// `form.syntax` writes them. Throws what their schemas throw, with the field
/// "[i].function.parameters" and the path.
expr tool_calls(builder &to, const output_form &form);

} // namespace ganglion::runtime::grammar
