#include "apps/serving/structured_fields.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "hlo/support/error.hpp"

#include <algorithm>

namespace ganglion::apps {

using json::value;
using runtime::generation_request;
using runtime::output_form;
using runtime::output_kind;

namespace {

/// A request has one form, under whatever name.
void set_form(generation_request &request, const value &v, output_form form) {
  if (request.structured_outputs)
    throw error(error_code::invalid_argument,
                "a second form of the output; accepted: one", v.where(),
                v.path());
  request.structured_outputs = std::move(form);
}

struct form_member {
  std::string_view name;
  void (*set)(generation_request &request, const value &v);
};

void set_any_object(generation_request &request, const value &v) {
  if (v.as_bool())
    set_form(request, v, {output_kind::json_object, {}, {}});
}

constexpr form_member members[] = {
    {"json", set_json_form},         {"regex", set_regex_form},
    {"choice", set_choice_form},     {"grammar", set_grammar_form},
    {"json_object", set_any_object},
};

/// OpenAI's object around a schema.
void set_named_schema(generation_request &request, const value &v) {
  for (const auto &[name, member] : v.members()) {
    if (name == "schema")
      set_json_form(request, member);
    else if (name == "strict") // it is followed in any case
      (void)(member.is_null() || member.as_bool());
    else if (name != "name" && name != "description")
      refuse_unknown(member);
    else if (!member.is_null())
      member.as_string_view();
  }
  if (!request.structured_outputs)
    v.at("schema"); // throws
}

} // namespace

void set_json_form(generation_request &request, const value &v) {
  set_form(request, v,
           {output_kind::json, v.is_string() ? v.as_string() : v.dump(), {}});
}

void set_regex_form(generation_request &request, const value &v) {
  set_form(request, v, {output_kind::regex, v.as_string(), {}});
}

void set_choice_form(generation_request &request, const value &v) {
  output_form form{output_kind::choice, {}, {}};
  for (const auto &item : v.items())
    form.choices.push_back(item.as_string());
  set_form(request, v, std::move(form));
}

void set_grammar_form(generation_request &request, const value &v) {
  set_form(request, v, {output_kind::grammar, v.as_string(), {}});
}

void set_structured_outputs(generation_request &request, const value &v) {
  for (const auto &[name, member] : v.members()) {
    if (member.is_null())
      continue;
    const auto row = std::ranges::find(members, name, &form_member::name);
    if (row == std::end(members))
      refuse_unknown(member);
    row->set(request, member);
  }
}

void set_response_format(generation_request &request, const value &v) {
  const auto type = v.at("type");
  const auto name = type.as_string_view();
  for (const auto &[key, member] : v.members())
    if (key != "type" && (key != "json_schema" || name != "json_schema"))
      refuse_unknown(member);
  if (name == "json_object")
    set_form(request, v, {output_kind::json_object, {}, {}});
  else if (name == "json_schema")
    set_named_schema(request, v.at("json_schema"));
  else if (name != "text")
    refuse_value(type, "\"text\", \"json_object\" or \"json_schema\"");
}

void set_tgi_grammar(generation_request &request, const value &v) {
  const auto type = v.at("type");
  for (const auto &[key, member] : v.members())
    if (key != "type" && key != "value")
      refuse_unknown(member);
  if (type.as_string_view() == "json")
    set_json_form(request, v.at("value"));
  else if (type.as_string_view() == "regex")
    set_regex_form(request, v.at("value"));
  else
    refuse_value(type, "\"json\" or \"regex\"");
}

} // namespace ganglion::apps
