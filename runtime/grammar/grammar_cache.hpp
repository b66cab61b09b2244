// The grammars of one model that were compiled lately, with all they found
// out about its tokens.
#pragma once

#include "runtime/grammar/output_form.hpp"
#include "runtime/grammar/token_grammar.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <deque>
#include <memory>

namespace ganglion::runtime::grammar {

/// Not for two threads at once.
class grammar_cache {
public:
  /// `vocabulary`: logits in a row. The tokens are looked at when the first
  /// grammar is asked for.
  grammar_cache(std::shared_ptr<const tokenizer> tokens, std::size_t vocabulary)
      : tokens_(std::move(tokens)),
        vocabulary_(vocabulary) {}

  /// Throws what `compile` throws, and `unsupported` without a tokenizer.
  std::shared_ptr<token_grammar> get(const output_form &form);

private:
  struct entry {
    output_form form;
    std::shared_ptr<token_grammar> grammar;
  };

  std::shared_ptr<const tokenizer> tokens_;
  std::size_t vocabulary_;
  std::shared_ptr<const token_trie> trie_;
  std::deque<entry> entries_; ///< the one used last comes first
};

} // namespace ganglion::runtime::grammar
