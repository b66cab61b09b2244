#include "actors/tokenizer_actor.hpp"

namespace ganglion::actors {

namespace {

caf::behavior
tokenizer_actor(rt::event_actor *self,
                std::shared_ptr<const runtime::tokenizer> tokens) {
  rt::drop_unknown_messages(self);
  return {[=](const encode_prompt &m) {
    if (!tokens) {
      rt::send(self, m.reply_to,
               request_refused{error_code::unsupported,
                               "the model has no tokenizer; accepted: "
                               "prompt_ids",
                               "inputs"});
      return;
    }
    try {
      rt::send(self, m.reply_to,
               prompt_encoded{tokens->encode(m.request->prompt,
                                             m.request->add_special_tokens)});
    } catch (const error &e) {
      rt::send(self, m.reply_to, request_refused{e.code(), e.what(), "inputs"});
    }
  }};
}

} // namespace

rt::actor spawn_tokenizer(rt::event_actor *parent,
                          std::shared_ptr<const runtime::tokenizer> tokens) {
  return parent->spawn<caf::detached>(tokenizer_actor, std::move(tokens));
}

} // namespace ganglion::actors
