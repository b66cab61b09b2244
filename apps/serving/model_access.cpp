#include "apps/serving/model_access.hpp"

#include "runtime/chat/model_chat.hpp"
#include "runtime/shard/loaded_model.hpp"

namespace ganglion::apps {

std::shared_ptr<const runtime::loaded_model> model_access::model() const {
  if (auto loaded = served->model())
    return loaded;
  throw error(error_code::unavailable, "the model is not loaded");
}

std::shared_ptr<const runtime::tokenizer> model_access::tokens() const {
  if (auto tokens = model()->tokens)
    return tokens;
  throw error(error_code::unsupported, "the model has no tokenizer");
}

std::shared_ptr<const runtime::model_chat> model_access::chat() const {
  auto chat = model()->chat;
  const auto refusal = chat ? chat->refusal() : "the model has no template";
  if (!refusal.empty())
    throw error(error_code::unsupported, refusal, {}, "messages");
  return chat;
}

} // namespace ganglion::apps
