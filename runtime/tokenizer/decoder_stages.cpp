#include "runtime/tokenizer/decoder_stages.hpp"

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/token_model.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

void join_stage::push(std::string_view part, bool starts, decoder_sink next) {
  if (starts && any)
    next(" ", true);
  any = true;
  next(part, starts);
}

void assemble_stage::push(std::string_view part, bool starts,
                          decoder_sink next) {
  if (starts)
    finish(next);
  any = true;
  held += part;
}

void assemble_stage::finish(decoder_sink next) {
  if (any)
    next(held, true);
  any = false;
  held.clear();
}

void fuse_stage::push(std::string_view part, bool, decoder_sink next) {
  next(part, !any);
  any = true;
}

void byte_level_stage::push(std::string_view part, bool, decoder_sink next) {
  append_token_bytes(bytes, part);
  emit(true, next);
}

void byte_level_stage::emit(bool keep_tail, decoder_sink next) {
  std::string text;
  bytes.erase(0, append_lossy(text, bytes, keep_tail));
  if (text.empty())
    return;
  next(text, !any);
  any = true;
}

void byte_level_stage::finish(decoder_sink next) { emit(false, next); }

void byte_fallback_stage::push(std::string_view part, bool, decoder_sink next) {
  const int byte = byte_of_token(part);
  if (byte >= 0) {
    run += static_cast<char>(byte);
    return;
  }
  finish(next);
  next(part, true);
}

void byte_fallback_stage::finish(decoder_sink next) {
  if (run.empty())
    return;
  if (is_utf8(run))
    next(run, true);
  else
    for (std::size_t i = 0; i < run.size(); ++i)
      next(replacement_character, true);
  run.clear();
}

void metaspace_stage::push(std::string_view part, bool starts,
                           decoder_sink next) {
  tokens += starts ? 1 : 0;
  const std::string_view space = tokens == 1 && drop_first ? "" : " ";
  next(split_pattern::literal(mark).replace(part, space), starts);
}

void strip_stage::push(std::string_view part, bool starts, decoder_sink next) {
  if (starts) {
    left = start;
    held = 0;
    starts_next = true;
  }
  while (left > 0 && part.starts_with(content)) {
    part.remove_prefix(content.size());
    --left;
  }
  if (part.empty())
    return;
  left = 0;
  std::string_view body = part;
  std::int64_t at_end = 0;
  while (at_end < stop && body.ends_with(content)) {
    body.remove_suffix(content.size());
    ++at_end;
  }
  // What was held is text after all, except what is still among the last.
  const auto kept = body.empty() ? std::min(held, stop - at_end) : 0;
  std::string out;
  for (; held > kept; --held)
    out += content;
  out += body;
  held += at_end;
  if (out.empty())
    return;
  next(out, starts_next);
  starts_next = false;
}

void replace_stage::push(std::string_view part, bool starts,
                         decoder_sink next) {
  next(pattern->replace(part, content), starts);
}

} // namespace ganglion::runtime
