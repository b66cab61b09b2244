// From the form of a text to the automaton that matches it.
#pragma once

#include "runtime/grammar/automaton.hpp"
#include "runtime/grammar/output_form.hpp"

namespace ganglion::runtime::grammar {

/// Throws `invalid_argument` or `unsupported`, whose field starts with
/// "structured_outputs", or "tools" for calls, and leads into a JSON schema.
automaton compile(const output_form &form, const limits &bounds = {});

} // namespace ganglion::runtime::grammar
