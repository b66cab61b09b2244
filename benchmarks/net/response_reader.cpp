#include "benchmarks/net/response_reader.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>

namespace ganglion::benchmarks {

namespace {

constexpr std::size_t most_head = 16 << 10;

[[noreturn]] void refuse(const std::string &what) {
  throw error(error_code::corrupt_data, what, "HTTP response");
}

std::size_t number_of(std::string_view text, int base) {
  std::size_t out = 0;
  const auto end = text.data() + text.size();
  if (std::from_chars(text.data(), end, out, base).ec != std::errc())
    refuse("'" + std::string(text) + "' is not a number");
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char &c : out)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return out;
}

} // namespace

std::string_view response_reader::feed(std::string_view bytes) {
  body_.clear();
  input_ += bytes;
  while (state_ != state::done && advance()) {
  }
  return body_;
}

/// Does one thing that the input allows; false when it needs more.
bool response_reader::advance() {
  std::string line;
  switch (state_) {
  case state::head: {
    const auto end = input_.find("\r\n\r\n");
    if (end == std::string::npos) {
      if (input_.size() > most_head)
        refuse("has no end of headers");
      return false;
    }
    const std::string head = input_.substr(0, end + 2);
    input_.erase(0, end + 4);
    read_head(head);
    return true;
  }
  case state::sized:
    take_body(state::done);
    return !input_.empty();
  case state::chunk_size:
    if (!take_line(line))
      return false;
    left_ = number_of(line.substr(0, line.find(';')), 16);
    state_ = left_ == 0 ? state::trailer : state::chunk;
    return true;
  case state::chunk:
    take_body(state::chunk_end);
    return !input_.empty();
  case state::chunk_end:
    if (!take_line(line))
      return false;
    state_ = state::chunk_size;
    return true;
  case state::trailer:
    if (!take_line(line))
      return false;
    if (line.empty())
      state_ = state::done;
    return true;
  case state::done:
    break;
  }
  return false;
}

void response_reader::read_head(std::string_view head) {
  if (!head.starts_with("HTTP/1.1 ") || head.size() < 12)
    refuse("does not begin with HTTP/1.1");
  status_ = static_cast<int>(number_of(head.substr(9, 3), 10));
  bool chunked = false;
  for (std::size_t at = head.find("\r\n") + 2; at < head.size();) {
    const auto end = head.find("\r\n", at);
    const auto line = lower(head.substr(at, end - at));
    at = end + 2;
    const auto colon = std::min(line.find(':'), line.size());
    const auto name = line.substr(0, colon);
    const auto begin = line.find_first_not_of(' ', colon + 1);
    const auto value = begin < line.size() ? line.substr(begin) : "";
    if (name == "content-length")
      left_ = number_of(value, 10);
    else if (name == "transfer-encoding")
      chunked = value == "chunked";
    else if (name == "connection")
      keeps_open_ = value != "close";
  }
  state_ = chunked      ? state::chunk_size
           : left_ == 0 ? state::done
                        : state::sized;
}

bool response_reader::take_line(std::string &line) {
  const auto end = input_.find("\r\n");
  if (end == std::string::npos)
    return false;
  line = input_.substr(0, end);
  input_.erase(0, end + 2);
  return true;
}

void response_reader::take_body(state next) {
  const auto n = std::min(left_, input_.size());
  body_.append(input_, 0, n);
  input_.erase(0, n);
  left_ -= n;
  if (left_ == 0)
    state_ = next;
}

} // namespace ganglion::benchmarks
