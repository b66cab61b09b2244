// JSON schemas as grammars: the keywords of docs/structured_output.md.
#pragma once

#include "runtime/grammar/json_text.hpp"
#include "runtime/json/reader.hpp"

namespace ganglion::runtime::grammar {

/// The JSON texts that `schema` accepts, or a part of them: members come in
/// the order of "properties", and what the schema does not speak of is left
/// out. Throws naming the path: `unsupported` for a keyword that is not
/// implemented, `invalid_argument` for one whose value is wrong or that no
/// text satisfies.
expr json_schema(builder &to, json_text &texts, const json::value &schema);

} // namespace ganglion::runtime::grammar
