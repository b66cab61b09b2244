// Values as JSON text, as Python's json.dumps(ensure_ascii=False) writes it.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

struct json_style {
  std::optional<std::string> indent; ///< of one level; one line without it
  std::string item_separator = ", ", key_separator = ": ";
  bool sort_keys = false;
};

std::string to_json(rendering &run, const value &v, const json_style &style);

} // namespace ganglion::runtime::chat
