#include "runtime/tokenizer/added_vocabulary.hpp"

#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <algorithm>

namespace ganglion::runtime {

namespace {

// The first character of `text` (UTF-8, not empty), or the last.
char32_t first_character(std::string_view text) {
  return next_code_point(text).value;
}

std::size_t last_character_at(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80)
    --at;
  return at;
}

bool ends_with_word(std::string_view text) {
  return !text.empty() && is_word_character(first_character(
                              text.substr(last_character_at(text))));
}

bool starts_with_word(std::string_view text) {
  return !text.empty() && is_word_character(first_character(text));
}

std::size_t without_spaces_at_end(std::string_view text) {
  while (!text.empty()) {
    const auto last = last_character_at(text);
    if (!is_space(first_character(text.substr(last))))
      break;
    text = text.substr(0, last);
  }
  return text.size();
}

std::size_t spaces_at_start(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(first_character(text.substr(at))))
    at += utf8_length(text[at]);
  return at;
}

} // namespace

added_token read_added_token(const json::value &v) {
  added_token out;
  out.content = v.at("content").as_string();
  out.single_word = v.get_bool("single_word", false);
  out.lstrip = v.get_bool("lstrip", false);
  out.rstrip = v.get_bool("rstrip", false);
  out.special = v.get_bool("special", false);
  out.normalized = v.get_bool("normalized", !out.special);
  return out;
}

std::int32_t added_vocabulary::add(const added_token &token,
                                   const vocabulary &model) {
  if (token.content.empty())
    return -1;
  if (token.special)
    special_.emplace(token.content, true);
  auto new_id = id(token.content).value_or(model.find(token.content));
  if (new_id < 0)
    new_id = std::max(id_end(), static_cast<std::int32_t>(model.size()));
  if (ids_.emplace(token.content, new_id).second)
    order_.push_back(token.content);
  tokens_[new_id] = token;
  return new_id;
}

void added_vocabulary::prepare(const normalizer *form) {
  plain_ = normalized_ = byte_trie();
  // Special tokens come first: where two contents become equal, they win.
  for (const bool special : {true, false})
    for (const auto &content : order_) {
      const auto id = ids_.at(content);
      const auto &token = tokens_.at(id);
      if (is_special(content) != special)
        continue;
      std::string key = content;
      if (token.normalized && form)
        form->apply(key);
      if (!key.empty())
        (token.normalized ? normalized_ : plain_).add(key, id);
    }
}

std::optional<std::pair<std::size_t, std::int32_t>>
added_vocabulary::longest(const byte_trie &trie, std::string_view text) const {
  std::optional<std::pair<std::size_t, std::int32_t>> out;
  auto node = byte_trie::root;
  for (std::size_t i = 0; i < text.size(); ++i) {
    node = trie.child(node, text[i]);
    if (node < 0)
      break;
    if (trie.value(node) >= 0)
      out.emplace(i + 1, trie.value(node));
  }
  return out;
}

std::optional<span_of_text> added_vocabulary::fit(const added_token &token,
                                                  std::string_view text,
                                                  span_of_text span,
                                                  std::size_t done) {
  auto [begin, end] = span;
  if (token.single_word && (ends_with_word(text.substr(0, begin)) ||
                            starts_with_word(text.substr(end))))
    return std::nullopt;
  if (token.lstrip)
    begin = std::max(without_spaces_at_end(text.substr(0, begin)), done);
  if (token.rstrip)
    end += spaces_at_start(text.substr(end));
  return span_of_text(begin, end);
}

std::vector<added_match> added_vocabulary::find(std::string_view text,
                                                bool normalized) const {
  const auto &trie = normalized ? normalized_ : plain_;
  std::vector<added_match> out;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto found = longest(trie, text.substr(at));
    if (!found) {
      ++at;
      continue;
    }
    const span_of_text span(at, at + found->first);
    at = span.second;
    const auto taken = fit(tokens_.at(found->second), text, span, done);
    if (!taken)
      continue;
    if (done < taken->first)
      out.push_back({{done, taken->first}, -1});
    out.push_back({*taken, found->second});
    done = taken->second;
  }
  if (done != text.size())
    out.push_back({{done, text.size()}, -1});
  return out;
}

std::optional<std::int32_t>
added_vocabulary::id(std::string_view content) const {
  const auto found = ids_.find(content);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string_view>
added_vocabulary::content(std::int32_t id) const {
  const auto found = tokens_.find(id);
  return found == tokens_.end()
             ? std::nullopt
             : std::optional<std::string_view>(found->second.content);
}

bool added_vocabulary::is_special(std::string_view content) const {
  return special_.contains(content);
}

std::int32_t added_vocabulary::id_end() const {
  return tokens_.empty() ? 0 : tokens_.rbegin()->first + 1;
}

} // namespace ganglion::runtime
