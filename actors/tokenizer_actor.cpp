#include "actors/tokenizer_actor.hpp"

#include "runtime/grammar/grammar_cache.hpp"

namespace ganglion::actors {

namespace {

class tokenizer_state {
public:
  tokenizer_state(rt::event_actor *self,
                  std::shared_ptr<const runtime::tokenizer> tokens,
                  std::int64_t vocabulary)
      : self_(self),
        tokens_(tokens),
        grammars_(std::move(tokens), static_cast<std::size_t>(vocabulary)) {}

  void encode(const encode_prompt &m) {
    try {
      prompt_encoded out;
      out.ids = ids_of(*m.request);
      if (m.request->structured_outputs)
        out.grammar = grammar_of(*m.request->structured_outputs);
      rt::send(self_, m.reply_to, std::move(out));
    } catch (const error &e) {
      rt::send(self_, m.reply_to,
               request_refused{e.code(), e.what(),
                               e.field().empty() ? "inputs" : e.field()});
    }
  }

  static void follow(const follow_grammar &m) {
    m.text->append(m.token);
    m.text->prepare();
  }

private:
  std::vector<std::int32_t> ids_of(const generation_request &request) const {
    if (!request.prompt_ids.empty())
      return request.prompt_ids;
    if (!tokens_)
      throw error(error_code::unsupported,
                  "the model has no tokenizer; accepted: prompt_ids");
    return tokens_->encode(request.prompt, request.add_special_tokens);
  }

  /// With what may come first found out.
  std::shared_ptr<runtime::grammar::token_grammar>
  grammar_of(const runtime::output_form &form) {
    auto out = grammars_.get(form);
    runtime::grammar::cursor first;
    first.begin(out, {}, 0);
    first.prepare();
    return out;
  }

  rt::event_actor *self_;
  std::shared_ptr<const runtime::tokenizer> tokens_;
  runtime::grammar::grammar_cache grammars_;
};

caf::behavior tokenizer_actor(rt::event_actor *self,
                              std::shared_ptr<const runtime::tokenizer> tokens,
                              std::int64_t vocabulary) {
  rt::drop_unknown_messages(self);
  const auto state =
      std::make_shared<tokenizer_state>(self, std::move(tokens), vocabulary);
  return {
      [=](const encode_prompt &m) { state->encode(m); },
      [=](const follow_grammar &m) { tokenizer_state::follow(m); },
  };
}

} // namespace

rt::actor spawn_tokenizer(rt::event_actor *parent,
                          std::shared_ptr<const runtime::tokenizer> tokens,
                          std::int64_t vocabulary) {
  return parent->spawn<caf::detached>(tokenizer_actor, std::move(tokens),
                                      vocabulary);
}

} // namespace ganglion::actors
