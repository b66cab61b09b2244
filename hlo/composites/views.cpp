#include "hlo/composites/views.hpp"

#include "hlo/support/error.hpp"

#include <array>

namespace ganglion::hlo {

namespace {

std::int64_t tiles_of(std::int64_t n) {
  return (n + tile_width - 1) / tile_width;
}

/// [N, K], padding included.
value whole_matrix(builder &b, value tiles) {
  const dims &d = tiles->form.dimensions;
  if (d.size() == 3)
    return b.reshape(tiles, {d[0] * d[1], d[2]});
  return b.reshape(b.transpose(tiles, {1, 3, 2, 0}),
                   {d[1] * d[3], d[2] * d[0]});
}

} // namespace

dims tiled(tiling how, const dims &matrix) {
  switch (how) {
  case tiling::none:
    break;
  case tiling::outputs:
    return {tiles_of(matrix[0]), tile_width, matrix[1]};
  case tiling::blocks:
    return {tile_width, tiles_of(matrix[0]), tiles_of(matrix[1]), tile_width};
  }
  return matrix;
}

value untiled(builder &b, value tiles, const dims &matrix) {
  composite_attributes a;
  a.set("outputs", matrix[0]).set("inputs", matrix[1]);
  return composite(
      b, "untiled", a, std::array{tiles},
      [&](builder &body, std::span<const value> p) {
        return body.slice(whole_matrix(body, p[0]), {0, 0}, matrix);
      });
}

value relaid(builder &b, value x, const dims &order) {
  std::string text;
  for (const auto d : order)
    text += static_cast<char>('0' + d);
  composite_attributes a;
  a.set("order", text);
  return composite(b, "relaid", a, std::array{x},
                   [&](builder &body, std::span<const value> p) {
                     return body.transpose(p[0], order);
                   });
}

dims inverse(const dims &order) {
  dims out(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    out[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  return out;
}

dims order_of(const instruction &relaid) {
  const std::string text = composite_attributes_of(relaid).text("order");
  const auto rank = static_cast<std::size_t>(relaid.operand(0)->form.rank());
  dims out;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto place = text.find(static_cast<char>('0' + i));
    if (text.size() != rank || place == std::string::npos)
      throw error(error_code::invalid_argument,
                  "'" + text + "' is no order of " + std::to_string(rank) +
                      " dimensions",
                  relaid.name, "order");
    out.push_back(text[i] - '0');
  }
  return out;
}

} // namespace ganglion::hlo
