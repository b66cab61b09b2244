#include "actors/beam_rounds.hpp"

namespace ganglion::actors {

beam_rounds::beam_rounds(runtime::sequence_request first,
                         runtime::beam_settings settings)
    : first_(std::move(first)),
      search_(std::move(settings)),
      told_(1) {}

std::shared_ptr<std::vector<runtime::sequence_request>>
beam_rounds::next() const {
  auto out = std::make_shared<std::vector<runtime::sequence_request>>();
  for (const runtime::beam &b : search_.followed()) {
    runtime::sequence_request r = first_;
    r.id.choice = static_cast<std::int32_t>(out->size());
    r.prompt.insert(r.prompt.end(), b.tokens.begin(), b.tokens.end());
    r.generated_before = static_cast<std::int64_t>(b.tokens.size());
    out->push_back(std::move(r));
  }
  return out;
}

bool beam_rounds::take(const sequence_progress &p) {
  told_[static_cast<std::size_t>(p.choice)] = p.top;
  if (--missing_ > 0)
    return false;
  search_.advance(told_);
  missing_ = search_.followed().size();
  told_.assign(missing_, {});
  return true;
}

} // namespace ganglion::actors
