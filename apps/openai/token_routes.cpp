#include "apps/openai/token_routes.hpp"

#include "apps/openai/openai_error.hpp"
#include "apps/serving/parameter_reading.hpp"
#include "runtime/json/writer.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <functional>

namespace ganglion::apps {

namespace {

using token_ids = std::vector<std::int32_t>;
using tokenizer_ptr = std::shared_ptr<const runtime::tokenizer>;

constexpr const char *place = "request";

struct tokenize_call {
  std::string model, prompt;
  bool add_special_tokens = true, return_token_strs = false;
};

tokenize_call parse_tokenize(std::string_view body) {
  const auto document = json::document::parse(body, place);
  const auto root = document.root();
  tokenize_call out;
  for (const auto &[name, v] : root.members()) {
    if (name == "prompt")
      out.prompt = v.as_string();
    else if (name == "model")
      out.model = v.is_null() ? "" : v.as_string();
    else if (name == "add_special_tokens")
      out.add_special_tokens = v.as_bool();
    else if (name == "return_token_strs")
      out.return_token_strs = !v.is_null() && v.as_bool();
    else
      refuse_unknown(v);
  }
  root.at("prompt"); // throws when it is missing
  return out;
}

struct detokenize_call {
  std::string model;
  token_ids tokens;
};

detokenize_call parse_detokenize(std::string_view body) {
  const auto document = json::document::parse(body, place);
  const auto root = document.root();
  detokenize_call out;
  for (const auto &[name, v] : root.members()) {
    if (name == "model")
      out.model = v.is_null() ? "" : v.as_string();
    else if (name != "tokens")
      refuse_unknown(v);
  }
  for (const auto &id : root.at("tokens").items())
    out.tokens.push_back(count(id));
  return out;
}

std::string tokens_text(const tokenize_call &call, const tokenizer_ptr &tokens,
                        std::int64_t positions) {
  const auto ids = tokens->encode(call.prompt, call.add_special_tokens);
  json::writer out;
  out.begin_object();
  out.key("count").integer(static_cast<std::int64_t>(ids.size()));
  out.key("max_model_len").integer(positions);
  out.key("tokens").begin_array();
  for (const auto id : ids)
    out.integer(id);
  out.end_array();
  if (call.return_token_strs) {
    out.key("token_strs").begin_array();
    for (const auto id : ids)
      out.string(tokens->token_of(id).value_or(""));
    out.end_array();
  }
  out.end_object();
  return out.text();
}

std::string prompt_text(const detokenize_call &call,
                        const tokenizer_ptr &tokens) {
  json::writer out;
  out.begin_object().key("prompt").string(tokens->decode(call.tokens, false));
  out.end_object();
  return out.text();
}

/// Answers with what `work` makes of a text, away from the server's thread.
void answer(const model_access &access,
            const std::shared_ptr<http_reply> &reply,
            std::function<std::string()> work) {
  access.worker->run<std::string>(
      std::move(work),
      [reply](std::string body) {
        http_response out;
        out.body = std::move(body);
        reply->send(std::move(out));
      },
      [reply](const error &e) {
        reply->send(openai_refusal(failure_of(e), openai_route::completions));
      });
}

} // namespace

std::vector<http_route> token_routes(const model_access &access) {
  const http_handler tokenize = [access](http_request request, auto reply) {
    auto call = parse_tokenize(request.body);
    check_openai_model(call.model, access.name());
    answer(access, reply,
           [call = std::move(call), tokens = access.tokens(),
            positions = access.served->status().n_positions] {
             return tokens_text(call, tokens, positions);
           });
  };
  const http_handler detokenize = [access](http_request request, auto reply) {
    auto call = parse_detokenize(request.body);
    check_openai_model(call.model, access.name());
    answer(access, reply, [call = std::move(call), tokens = access.tokens()] {
      return prompt_text(call, tokens);
    });
  };
  return {{"POST", "/tokenize",
           openai_guarded(openai_route::completions, tokenize)},
          {"POST", "/detokenize",
           openai_guarded(openai_route::completions, detokenize)}};
}

} // namespace ganglion::apps
