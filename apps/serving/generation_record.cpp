#include "apps/serving/generation_record.hpp"

#include "apps/serving/timing_text.hpp"

namespace ganglion::apps {

void generation_record::take(const runtime::generation_event &event) {
  new_tokens_ += static_cast<std::int64_t>(event.tokens.size());
  if (event.ends_choice())
    end_ = runtime::to_string(event.finish);
  if (!event.last())
    return;
  prompt_tokens_ += event.prompt_tokens;
  cached_tokens_ += event.cached_tokens;
  timing_ = longest(timing_, event.timing);
}

std::string generation_record::members() const {
  json::writer out;
  out.begin_object();
  out.key("finish_reason").string(end_);
  out.key("prompt_tokens").integer(prompt_tokens_);
  out.key("cached_tokens").integer(cached_tokens_);
  out.key("new_tokens").integer(new_tokens_);
  write_timing_members(out, timing_, new_tokens_);
  out.end_object();
  return out.text().substr(1, out.text().size() - 2);
}

} // namespace ganglion::apps
