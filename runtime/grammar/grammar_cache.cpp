#include "runtime/grammar/grammar_cache.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/compile.hpp"

#include <algorithm>

namespace ganglion::runtime::grammar {

namespace {

constexpr std::size_t most_entries = 16;

} // namespace

std::shared_ptr<token_grammar> grammar_cache::get(const output_form &form) {
  if (!tokens_)
    throw error(error_code::unsupported,
                "the model has no tokenizer, so the text of its tokens is not "
                "known",
                {}, "structured_outputs");
  const auto found = std::ranges::find(entries_, form, &entry::form);
  if (found != entries_.end()) {
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front().grammar;
  }
  auto rules = compile(form);
  if (!trie_)
    trie_ =
        std::make_shared<const token_trie>(token_bytes(*tokens_, vocabulary_));
  entries_.push_front(
      {form, std::make_shared<token_grammar>(std::move(rules), trie_)});
  if (entries_.size() > most_entries)
    entries_.pop_back();
  return entries_.front().grammar;
}

} // namespace ganglion::runtime::grammar
