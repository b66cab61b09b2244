#include "apps/openai/logprob_text.hpp"

#include "apps/serving/generation_result.hpp"

#include <algorithm>
#include <set>

namespace ganglion::apps {

using runtime::generated_token;

namespace {

void write_bytes(json::writer &out, std::string_view bytes) {
  out.key("bytes").begin_array();
  for (const char byte : bytes)
    out.integer(static_cast<unsigned char>(byte));
  out.end_array();
}

/// `bytes`: the token's own where they are no UTF-8, else empty.
void write_entry(json::writer &out, const std::string &name, float logprob,
                 const std::string &bytes) {
  out.key("token").string(name);
  out.key("logprob").raw(float_text(logprob));
  write_bytes(out, bytes.empty() ? name : bytes);
}

void write_chat_token(json::writer &out, const generated_token &token,
                      const token_names &names) {
  out.begin_object();
  write_entry(out, names.of(token), token.logprob, token.bytes);
  out.key("top_logprobs").begin_array();
  for (const auto &other : token.top) {
    out.begin_object();
    write_entry(out, other.text, other.logprob, other.bytes);
    out.end_object();
  }
  out.end_array().end_object();
}

/// The alternatives and the token itself, each name once.
void write_alternatives(json::writer &out, const generated_token &token,
                        const std::string &name) {
  std::set<std::string> written;
  out.begin_object();
  for (const auto &other : token.top)
    if (written.insert(other.text).second)
      out.key(other.text).raw(float_text(other.logprob));
  if (written.insert(name).second)
    out.key(name).raw(float_text(token.logprob));
  out.end_object();
}

/// One list with an entry for each token of the prompt and the text.
template <class Write>
void write_list(json::writer &out, const char *key, const choice_piece &piece,
                Write write) {
  out.key(key).begin_array();
  for (const auto &token : piece.prompt)
    write(token, true);
  for (const auto &token : piece.tokens)
    write(token, false);
  out.end_array();
}

} // namespace

std::string token_names::of(const generated_token &token) const {
  return tokens_ ? tokens_->text_of(token.id) : token.text;
}

std::string token_names::in_prompt(const generated_token &token) const {
  return token.special || !token.bytes.empty() ? of(token) : token.text;
}

void write_chat_logprobs(json::writer &out, const choice_piece &piece,
                         const token_names &names) {
  out.begin_object().key("content").begin_array();
  for (const auto &token : piece.tokens)
    write_chat_token(out, token, names);
  out.end_array().key("refusal").null().end_object();
}

void write_completion_logprobs(json::writer &out, const choice_piece &piece,
                               const token_names &names) {
  const auto name = [&](const generated_token &token, bool prompt) {
    return prompt ? names.in_prompt(token) : names.of(token);
  };
  // The first token of a prompt follows nothing and has none.
  const auto unknown = [&](const generated_token &token, bool prompt) {
    return prompt && &token == piece.prompt.data();
  };
  out.begin_object();
  write_list(out, "tokens", piece, [&](const auto &token, bool prompt) {
    out.string(name(token, prompt));
  });
  write_list(out, "token_logprobs", piece, [&](const auto &token, bool prompt) {
    unknown(token, prompt) ? out.null() : out.raw(float_text(token.logprob));
  });
  write_list(out, "top_logprobs", piece, [&](const auto &token, bool prompt) {
    if (unknown(token, prompt))
      out.null();
    else
      write_alternatives(out, token, name(token, prompt));
  });
  auto offset = piece.offset;
  write_list(out, "text_offset", piece, [&](const auto &token, bool) {
    out.integer(static_cast<std::int64_t>(offset));
    offset += characters_of(token.text);
  });
  out.end_object();
}

std::size_t characters_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

} // namespace ganglion::apps
