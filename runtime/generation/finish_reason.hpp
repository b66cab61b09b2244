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

/// The LMI contract's words.
constexpr std::string_view to_string(finish_reason reason) {
  switch (reason) {
  case finish_reason::length:
    return "length";
  case finish_reason::eos_token:
    return "eos_token";
  case finish_reason::stop_sequence:
    return "stop_sequence";
  case finish_reason::cancelled:
    return "cancelled";
  case finish_reason::none:
    break;
  }
  return "none";
}

} // namespace ganglion::runtime
