#include "actors/choice_text.hpp"

namespace ganglion::actors {

choice_text::choice_text(const runtime::loaded_model &model,
                         const runtime::generation_request &request,
                         const std::vector<std::int32_t> &prompt)
    : stops_(request.stop, request.include_stop_str_in_output),
      min_new_tokens_(request.sampling.min_new_tokens) {
  if (!model.tokens)
    return;
  text_.emplace(model.tokens, request.skip_special_tokens);
  for (const std::int32_t id : prompt)
    text_->push(id);
  of_prompt_ = text_->pending();
}

std::string choice_text::add(std::int32_t token, bool ends) {
  ++tokens_;
  if (!text_)
    return {};
  std::string out = detokenise(token, ends);
  // Like tokens that end the text, stop strings wait for the least length.
  if (tokens_ <= min_new_tokens_)
    return out;
  out = stops_.push(out);
  if (ends && !stops_.matched())
    out += stops_.finish();
  return out;
}

std::string choice_text::detokenise(std::int32_t token, bool ends) {
  std::string piece = text_->push(token);
  if (ends)
    piece += text_->finish();
  if (piece.starts_with(of_prompt_))
    piece.erase(0, of_prompt_.size());
  if (!piece.empty())
    of_prompt_.clear();
  return piece;
}

std::string choice_text::rest() {
  if (!text_ || tokens_ == 0)
    return {};
  std::string out = stops_.push(text_->finish());
  return out + stops_.finish();
}

} // namespace ganglion::actors
