// Reads one HTTP/1.1 response as its bytes come: status, headers, and the body
// with the chunks' frames taken off.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ganglion::benchmarks {

class response_reader {
public:
  /// Takes more bytes; returns the part of the body that they completed, valid
  /// until the next call. Throws `corrupt_data` for what is no HTTP response
  /// and for more than 16 KiB of headers.
  std::string_view feed(std::string_view bytes);

  bool done() const { return state_ == state::done; }
  int status() const { return status_; }
  /// Whether the server will take another request on this connection.
  bool keeps_open() const { return keeps_open_; }

private:
  enum class state { head, sized, chunk_size, chunk, chunk_end, trailer, done };

  bool advance();
  void read_head(std::string_view head);
  bool take_line(std::string &line);
  void take_body(state next);

  state state_ = state::head;
  std::string input_, body_;
  std::size_t left_ = 0; ///< of the body or the chunk
  int status_ = 0;
  bool keeps_open_ = true;
};

} // namespace ganglion::benchmarks
