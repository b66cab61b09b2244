#include "runtime/tokenizer/detokenizer.hpp"

#include "runtime/tokenizer/tokenizer_parts.hpp"

namespace ganglion::runtime {

detokenizer::detokenizer(std::shared_ptr<const tokenizer> tokens,
                         bool skip_special_tokens)
    : tokens_(std::move(tokens)),
      decoding_(std::make_unique<decoder>(tokens_->parts_->fresh_decoder)),
      skip_special_tokens_(skip_special_tokens) {}

detokenizer::~detokenizer() = default;
detokenizer::detokenizer(detokenizer &&) noexcept = default;
detokenizer &detokenizer::operator=(detokenizer &&) noexcept = default;

std::string detokenizer::push(std::int32_t id) {
  const auto token = tokens_->token_of(id);
  if (!token || (skip_special_tokens_ && tokens_->is_special(id)))
    return {};
  decoding_->push(*token);
  return decoding_->take();
}

std::string detokenizer::pending() const {
  auto copy = *decoding_;
  copy.finish();
  return copy.take();
}

std::string detokenizer::finish() {
  decoding_->finish();
  return decoding_->take();
}

} // namespace ganglion::runtime
