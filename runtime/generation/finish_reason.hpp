// Why a sequence ended, in one table of words.
#pragma once

#include <string_view>

namespace ganglion::runtime {

enum class finish_reason {
  none,          ///< still running
  length,        ///< max_new_tokens or n_positions reached
  eos_token,     ///< the model ended its text
  stop_sequence, ///< a stop string or stop token id
  cancelled,     ///< the client went away or asked for it
};

/// The words of both contracts, by reason.
struct finish_words {
  std::string_view lmi, openai;
};
inline constexpr finish_words finish_table[] = {
    {"none", ""},
    {"length", "length"},
    {"eos_token", "stop"},
    {"stop_sequence", "stop"},
    {"cancelled", "cancelled"}, // OpenAI has no word: nobody is left to read it
};

/// The LMI contract's word.
constexpr std::string_view to_string(finish_reason reason) {
  return finish_table[static_cast<int>(reason)].lmi;
}

/// OpenAI's word; empty while running.
constexpr std::string_view openai_word(finish_reason reason) {
  return finish_table[static_cast<int>(reason)].openai;
}

} // namespace ganglion::runtime
