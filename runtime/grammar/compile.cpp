#include "runtime/grammar/compile.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/ebnf.hpp"
#include "runtime/grammar/json_schema.hpp"
#include "runtime/grammar/regex.hpp"
#include "runtime/grammar/text_form.hpp"
#include "runtime/grammar/tool_calls.hpp"

namespace ganglion::runtime::grammar {

namespace {

constexpr std::size_t most_choices = 4096;
constexpr std::size_t longest_schema = std::size_t{1} << 18; ///< bytes

expr schema(builder &to, const std::string &text) {
  if (text.size() > longest_schema)
    refuse_size("bytes of JSON schema", longest_schema);
  const auto document = json::document::parse(text, {});
  json_text texts(to);
  // Models like to begin with white space.
  return to.sequence(
      {texts.white_space(), json_schema(to, texts, document.root())});
}

expr choice(builder &to, const std::vector<std::string> &choices) {
  if (choices.empty() || choices.size() > most_choices)
    throw error(error_code::invalid_argument, std::to_string(choices.size()) +
                                                  " choices; accepted: 1 to " +
                                                  std::to_string(most_choices));
  for (const auto &text : choices)
    if (text.empty())
      throw error(error_code::invalid_argument, "a choice without characters");
  return to.one_of(choices);
}

expr object(builder &to) {
  json_text texts(to);
  return to.sequence({texts.white_space(), texts.any_object()});
}

struct kind_row {
  output_kind kind;
  const char *field;
  expr (*make)(builder &to, const output_form &form);
};
constexpr kind_row kinds[] = {
    {output_kind::json, "structured_outputs.json",
     [](builder &to, const output_form &f) { return schema(to, f.text); }},
    {output_kind::json_object, "structured_outputs.json_object",
     [](builder &to, const output_form &) { return object(to); }},
    {output_kind::regex, "structured_outputs.regex",
     [](builder &to, const output_form &f) {
       return regex(to, f.text, regex_match::whole, text_form::plain);
     }},
    {output_kind::choice, "structured_outputs.choice",
     [](builder &to, const output_form &f) { return choice(to, f.choices); }},
    {output_kind::grammar, "structured_outputs.grammar",
     [](builder &to, const output_form &f) { return ebnf(to, f.text); }},
    {output_kind::tool_calls, "tools", tool_calls},
};

} // namespace

automaton compile(const output_form &form, const limits &bounds) {
  const auto &row = kinds[static_cast<std::size_t>(form.kind)];
  try {
    builder to(bounds);
    const expr whole = row.make(to, form);
    return {to, to.add("the whole text", whole)};
  } catch (const error &e) {
    const auto code = e.code() == error_code::corrupt_data
                          ? error_code::invalid_argument
                          : e.code();
    const bool joined = e.field().empty() || e.field().starts_with('[');
    throw error(code, e.what(), e.where(),
                row.field + std::string(joined ? "" : ".") + e.field());
  }
}

} // namespace ganglion::runtime::grammar
