// How all routes read the form that a text must have.
#pragma once

#include "runtime/generation/generation_request.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::apps {

/// Reads an object of one member: "json" (a schema, or its text), "regex",
/// "choice", "grammar" or "json_object" (true).
void set_structured_outputs(runtime::generation_request &request,
                            const json::value &v);
/// Reads OpenAI's "response_format": an object of the type "text",
/// "json_object" or "json_schema".
void set_response_format(runtime::generation_request &request,
                         const json::value &v);
/// Reads TGI's "grammar": an object of "type" ("json" or "regex") and "value".
void set_tgi_grammar(runtime::generation_request &request,
                     const json::value &v);

// The members of the object above, each a field of its own.
void set_json_form(runtime::generation_request &request, const json::value &v);
void set_regex_form(runtime::generation_request &request, const json::value &v);
void set_choice_form(runtime::generation_request &request,
                     const json::value &v);
void set_grammar_form(runtime::generation_request &request,
                      const json::value &v);

} // namespace ganglion::apps
