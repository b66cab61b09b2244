#include "hlo/composites/embedding.hpp"

#include <array>

namespace ganglion::hlo {

value embedding(builder &b, value ids, value table) {
  return composite(b, "embedding", {}, std::array{ids, table},
                   [](builder &body, std::span<const value> p) {
                     return body.convert(body.gather_rows(p[1], p[0]),
                                         element_type::f32);
                   });
}

value take_rows(builder &b, value rows, value x) {
  return composite(b, "take_rows", {}, std::array{rows, x},
                   [](builder &body, std::span<const value> p) {
                     return body.gather_rows(p[1], p[0]);
                   });
}

} // namespace ganglion::hlo
