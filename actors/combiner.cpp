#include "actors/combiner.hpp"

namespace ganglion::actors {

using neuron::collective_kind;
using neuron::collective_status;

std::optional<combiner::result>
combiner::add(int rank, const neuron::collective_tag &tag,
              std::shared_ptr<const std::vector<float>> data) {
  auto &part = parts_[static_cast<std::size_t>(rank)];
  if (arrived_ == 0)
    tag_ = tag;
  if (tag != tag_ || part)
    return result{collective_status::mismatched, nullptr};
  part = std::move(data);
  if (++arrived_ < parts_.size())
    return std::nullopt;
  result out = combine();
  arrived_ = 0;
  for (auto &p : parts_)
    p.reset();
  return out;
}

combiner::result combiner::combine() const {
  std::vector<float> out(*parts_[0]);
  for (std::size_t r = 1; r < parts_.size(); ++r) {
    const auto &part = *parts_[r];
    if (tag_.kind != collective_kind::all_reduce)
      out.insert(out.end(), part.begin(), part.end());
    else
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] += part[i];
  }
  return {collective_status::ok,
          std::make_shared<const std::vector<float>>(std::move(out))};
}

} // namespace ganglion::actors
