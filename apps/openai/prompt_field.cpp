#include "apps/openai/prompt_field.hpp"

#include "apps/serving/parameter_reading.hpp"
#include "hlo/support/error.hpp"

namespace ganglion::apps {

namespace {

using json::value;
using runtime::generation_request;

[[noreturn]] void refuse_empty(const value &v) {
  throw error(error_code::invalid_argument,
              "an empty list; accepted: a string, a list of strings, token "
              "ids, or a list of lists of token ids",
              v.where(), v.path());
}

generation_request text_prompt(const value &v) {
  generation_request out;
  out.prompt = v.as_string();
  return out;
}

generation_request id_prompt(const value &v, const std::vector<value> &items) {
  if (items.empty())
    refuse_empty(v);
  generation_request out;
  out.prompt_ids.reserve(items.size());
  for (const auto &id : items)
    out.prompt_ids.push_back(count(id));
  return out;
}

} // namespace

void set_prompt(openai_call &call, const value &v) {
  call.prompts.clear();
  if (!v.is_array()) {
    call.prompts.push_back(text_prompt(v));
    return;
  }
  const auto items = v.items();
  if (items.empty())
    refuse_empty(v);
  if (items.front().is_number()) {
    call.prompts.push_back(id_prompt(v, items));
    return;
  }
  const bool ids = items.front().is_array();
  for (const auto &item : items)
    call.prompts.push_back(ids ? id_prompt(item, item.items())
                               : text_prompt(item));
}

} // namespace ganglion::apps
