// The few settings of a tokenizer.model that libsentencepiece has no calls
// for, read from the message it is made of.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace ganglion::runtime {

struct sentencepiece_spec {
  enum model_kind : std::uint64_t { unigram = 1, bpe = 2, word = 3, chars = 4 };
  std::uint64_t kind = unigram;
  bool has_charsmap = false;
  bool add_dummy_prefix = true;
  std::set<int> user_defined; ///< ids of pieces that users defined
};

/// Reads `message`, the bytes of the file `where`. Throws `corrupt_data`
/// when it is cut off or no such message.
sentencepiece_spec read_sentencepiece_spec(std::string_view message,
                                           const std::string &where);

} // namespace ganglion::runtime
