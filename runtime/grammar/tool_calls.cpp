#include "runtime/grammar/tool_calls.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/json_schema.hpp"
#include "runtime/grammar/token_trie.hpp"
#include "runtime/json/writer.hpp"

namespace ganglion::runtime::grammar {

namespace {

/// Without parameters, any object goes.
expr arguments(builder &to, json_text &texts, const output_tool &tool,
               std::size_t place) {
  if (tool.parameters.empty())
    return texts.any_object();
  try {
    const auto document = json::document::parse(tool.parameters, {});
    return json_schema(to, texts, document.root());
  } catch (const error &e) {
    const std::string inside = e.field().empty() ? "" : "." + e.field();
    throw error(e.code(), e.what(), e.where(),
                "[" + std::to_string(place) + "].function.parameters" + inside);
  }
}

/// A mark is a special token in some vocabularies and text in others.
expr mark(builder &to, std::string_view text) {
  return to.any_of(
      {to.literal(text), to.literal(special_mark + std::string(text))});
}

expr one_call(builder &to, const output_form &form) {
  json_text texts(to);
  std::vector<expr> ways;
  for (std::size_t i = 0; i < form.tools.size(); ++i) {
    const output_tool &tool = form.tools[i];
    const auto member = std::string(arguments_name_of(form.syntax));
    ways.push_back(
        to.sequence({to.literal("{\"name\": " + json::quote(tool.name) +
                                ", \"" + member + "\": "),
                     arguments(to, texts, tool, i), to.literal("}")}));
  }
  return to.call(to.add("a call", to.any_of(ways)));
}

/// `one`, and more of them where several are allowed.
expr repeated(builder &to, bool several, expr one, std::string_view between) {
  return several ? to.sequence(
                       {one, to.repeat(to.sequence({to.literal(between), one}),
                                       0, no_bound)})
                 : one;
}

} // namespace

expr tool_calls(builder &to, const output_form &form) {
  require(!form.tools.empty(), "grammar: no tool to call");
  const expr call = one_call(to, form);
  const auto start = mark_of(form.syntax);
  switch (form.syntax) {
  case tool_syntax::tagged:
    return repeated(to, form.several,
                    to.sequence({mark(to, start), to.literal("\n"), call,
                                 to.literal("\n"), mark(to, tagged_end)}),
                    "\n");
  case tool_syntax::listed:
    return to.sequence({mark(to, start), to.optional(to.literal(" ")),
                        to.literal("["), repeated(to, form.several, call, ", "),
                        to.literal("]")});
  case tool_syntax::bare:
  case tool_syntax::none:
    break;
  }
  return call;
}

} // namespace ganglion::runtime::grammar
