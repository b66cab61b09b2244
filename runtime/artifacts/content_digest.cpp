#include "runtime/artifacts/content_digest.hpp"

namespace ganglion::runtime {

digest content_digest(const checkpoint &weights) {
  digest_builder all;
  for (const auto &name : weights.names()) {
    const tensor_view tensor = weights.at(name);
    all.add(name).add(to_string(tensor.dtype));
    all.add(tensor.dims).add(digest_of(tensor.bytes));
  }
  return all.finish();
}

digest content_digest(const checkpoint &weights, const digest_memo &memo) {
  return memo.get(weights.identities(),
                  [&] { return content_digest(weights); });
}

} // namespace ganglion::runtime
