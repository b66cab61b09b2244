#include "runtime/tokenizer/known_patterns.hpp"

#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

const std::string_view gpt2_pattern =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

namespace {

const std::string_view llama3_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const std::string_view qwen_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct character {
  char_class kind;
  std::size_t length; // 0 at the end of the text
};

character character_at(std::string_view text, std::size_t at) {
  if (at >= text.size())
    return {char_class::other, 0};
  const auto step = next_code_point(text.substr(at));
  return {class_of(step.value), step.length};
}

// The end of the run of `kind` that starts at `at`, of at most `most`.
std::size_t run_end(std::string_view text, std::size_t at, char_class kind,
                    std::size_t most = std::string_view::npos) {
  for (std::size_t n = 0; n < most; ++n) {
    const auto c = character_at(text, at);
    if (c.length == 0 || c.kind != kind)
      break;
    at += c.length;
  }
  return at;
}

bool is_line_end(char c) { return c == '\r' || c == '\n'; }

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

// 's 't 're 've 'm 'll 'd: the length matched at the front of `text`, or 0.
std::size_t contraction(std::string_view text, bool ignore_case) {
  if (text.size() < 2 || text[0] != '\'')
    return 0;
  const auto letter = [&](std::size_t i) {
    return ignore_case ? lower(text[i]) : text[i];
  };
  const char a = letter(1);
  if (a == 's' || a == 't' || a == 'm' || a == 'd')
    return 2;
  // U+017F, the long s, folds to s.
  if (ignore_case && text.substr(1, 2) == "\xC5\xBF")
    return 3;
  if (text.size() < 3)
    return 0;
  const char b = letter(2);
  const bool two = (a == 'r' && b == 'e') || (a == 'v' && b == 'e') ||
                   (a == 'l' && b == 'l');
  return two ? 3 : 0;
}

// \s+(?!\S)|\s+ : a run before a word leaves it its last character.
std::size_t spaces(std::string_view text) {
  std::size_t at = 0, last = 0;
  for (;;) {
    const auto c = character_at(text, at);
    if (c.length == 0)
      return at;
    if (c.kind != char_class::space)
      return last == 0 ? at : last;
    last = at;
    at += c.length;
  }
}

// \s*[\r\n]+ : up to the last line end of the run of spaces, or 0.
std::size_t lines(std::string_view text) {
  std::size_t end = run_end(text, 0, char_class::space);
  while (end > 0 && !is_line_end(text[end - 1]))
    --end;
  return end;
}

std::size_t scan_gpt2(std::string_view text) {
  if (const auto n = contraction(text, false))
    return n;
  const std::size_t start = text[0] == ' ' ? 1 : 0;
  const auto c = character_at(text, start);
  if (c.length != 0 && c.kind != char_class::space)
    return run_end(text, start, c.kind);
  return spaces(text);
}

std::size_t scan_llama3(std::string_view text, std::size_t digits) {
  if (const auto n = contraction(text, true))
    return n;
  const auto c = character_at(text, 0);
  if (c.kind == char_class::letter)
    return run_end(text, 0, char_class::letter);
  if (c.kind == char_class::number)
    return run_end(text, 0, char_class::number, digits);
  const auto next = character_at(text, c.length);
  if (!is_line_end(text[0]) && next.length != 0 &&
      next.kind == char_class::letter)
    return run_end(text, c.length, char_class::letter);
  const std::size_t start = text[0] == ' ' ? 1 : 0;
  auto end = run_end(text, start, char_class::other);
  if (end > start) {
    while (end < text.size() && is_line_end(text[end]))
      ++end;
    return end;
  }
  const auto n = lines(text);
  return n > 0 ? n : spaces(text);
}

} // namespace

pattern_scanner find_scanner(std::string_view pattern) {
  if (pattern == gpt2_pattern)
    return scan_gpt2;
  if (pattern == llama3_pattern)
    return [](std::string_view text) { return scan_llama3(text, 3); };
  if (pattern == qwen_pattern)
    return [](std::string_view text) { return scan_llama3(text, 1); };
  return nullptr;
}

} // namespace ganglion::runtime
