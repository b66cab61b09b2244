// Everything a tokenizer is made of, and the readers of each kind of file.
#pragma once

#include "runtime/tokenizer/added_vocabulary.hpp"
#include "runtime/tokenizer/decoder.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/post_processor.hpp"
#include "runtime/tokenizer/pre_tokenizer.hpp"
#include "runtime/tokenizer/token_model.hpp"
#include "runtime/tokenizer/tokenizer_config.hpp"

namespace ganglion::runtime {

/// Immutable once `finish` has run. `normalizer` and `pre_tokenizer` may be
/// null.
struct tokenizer_parts {
  normalizer_ptr normalize;
  pre_tokenizer_ptr split;
  token_model_ptr model;
  added_vocabulary added;
  post_processor around;
  decoder fresh_decoder = make_joining_decoder();
  /// "bos_token", ... to the token, for those in the vocabulary.
  std::map<std::string, std::string, std::less<>> named;

  std::optional<std::int32_t> id(std::string_view token) const;
  /// Adds the tokens and names of `config` and makes `added` ready.
  void finish(const tokenizer_config &config);
};

/// From a tokenizer.json. Throws a typed error naming the field at fault.
tokenizer_parts read_tokenizer_json(const json::value &root);
/// From a tokenizer.model, as HuggingFace converts it.
tokenizer_parts read_sentencepiece_model(const std::string &path,
                                         const tokenizer_config &config);
/// From vocab.json and merges.txt, the files of GPT-2.
tokenizer_parts read_vocab_and_merges(const std::string &directory,
                                      const tokenizer_config &config);

} // namespace ganglion::runtime
