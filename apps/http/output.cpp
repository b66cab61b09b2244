#include "apps/http/output.hpp"

namespace ganglion::apps {

void http_output::push(std::string_view bytes,
                       const std::shared_ptr<void> &owner) {
  waiting_ += bytes;
  if (idle() && !waiting_.empty())
    write(owner);
}

void http_output::write(const std::shared_ptr<void> &owner) {
  under_way_.swap(waiting_);
  stream_.write(
      boost::asio::buffer(under_way_),
      [this, owner](const boost::system::error_code &ec, std::size_t) {
        under_way_.clear();
        if (!ec && !waiting_.empty())
          write(owner);
        on_progress_(!ec);
      });
}

} // namespace ganglion::apps
