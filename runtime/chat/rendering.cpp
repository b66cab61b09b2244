#include "runtime/chat/rendering.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

void rendering::step(std::size_t count) {
  if (count > most_.steps - steps_)
    fail(failure::limit,
         "takes more than " + std::to_string(most_.steps) + " steps");
  steps_ += count;
}

void rendering::reserve(std::size_t bytes) {
  if (bytes > most_.memory - bytes_)
    fail(failure::limit, "takes more than " + std::to_string(most_.memory) +
                             " bytes of memory");
  bytes_ += bytes;
}

void rendering::emit(std::string &out, std::string_view text) {
  if (text.size() > most_.output - std::min(out.size(), most_.output))
    fail(failure::limit,
         "writes more than " + std::to_string(most_.output) + " bytes");
  reserve(text.size());
  out += text;
}

value rendering::text(std::string text) {
  reserve(text.size() + sizeof(std::string));
  return value(std::move(text));
}

void rendering::check_depth(const value &made) const {
  if (made.depth() > most_nesting)
    fail(failure::limit,
         "nests values more than " + std::to_string(most_nesting) + " deep");
}

value rendering::list(std::vector<value> items, sequence_kind kind) {
  reserve(items.size() * sizeof(value) + sizeof(sequence));
  value out = value::list(std::move(items), kind);
  check_depth(out);
  return out;
}

value rendering::dict(std::vector<value::entry> entries) {
  reserve(entries.size() * sizeof(value::entry) + sizeof(dictionary));
  value out = value::dict(std::move(entries));
  check_depth(out);
  return out;
}

value rendering::missing(std::string message, bool unsafe) {
  return undefined{std::make_shared<const std::string>(std::move(message)),
                   unsafe};
}

std::tm rendering::now() const {
  if (clock_)
    return clock_();
  const std::time_t seconds = std::time(nullptr);
  std::tm out{};
  localtime_r(&seconds, &out);
  return out;
}

rendering::level::level(rendering &run) : run_(run) {
  if (run.depth_ >= run.most_.depth)
    run.fail(failure::limit, "nests more than " +
                                 std::to_string(run.most_.depth) +
                                 " levels deep");
  ++run.depth_;
}

} // namespace ganglion::runtime::chat
