// Reading HuggingFace config fields that several families share, and refusing
// by name the values that a family does not implement.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

#include <string>
#include <vector>

namespace ganglion::runtime {

/// The largest sizes that a config may give: well above those of any model, and
/// so small that no product of them overflows.
struct most {
  static constexpr std::int64_t layers = 1 << 12;
  static constexpr std::int64_t hidden = 1 << 18;
  static constexpr std::int64_t heads = 1 << 14;
  static constexpr std::int64_t head_dim = 512;
  static constexpr std::int64_t mlp = 1 << 22;
  static constexpr std::int64_t vocabulary = 1 << 24;
  static constexpr std::int64_t positions = 1 << 24;
  static constexpr std::int64_t experts = 1 << 17; ///< of all layers together
};

/// An integer field from 1 to `limit`; throws `invalid_argument` otherwise.
std::int64_t positive(const json::value &config, const std::string &field,
                      std::int64_t limit);
std::int64_t positive_or(const json::value &config, const std::string &field,
                         std::int64_t fallback, std::int64_t limit);

/// Positions stretched by a positive factor, rounded down, at most
/// `most::positions`.
std::int64_t times_factor(std::int64_t positions, double factor);

/// What is added to a variance: from 0 to 1.
double epsilon_field(const json::value &config, const std::string &field,
                     double fallback);

/// Throws `unsupported` unless the boolean field is absent or `accepted`.
void expect_bool(const json::value &config, const std::string &field,
                 bool accepted);

/// The activation called by HuggingFace's name ("silu", "gelu_new", ...).
hlo::activation activation_field(const json::value &config,
                                 const std::string &field,
                                 const std::string &fallback);

/// torch_dtype, or dtype as it is called now, f32 when both are absent; the
/// types that weights are computed in.
hlo::element_type stored_type(const json::value &config);

/// The head size where heads divide the hidden size; throws `invalid_argument`
/// naming `field`, the one that gives the number of heads.
std::int64_t divided_heads(const json::value &config,
                           const hlo::decoder_spec &spec,
                           const std::string &field);

/// Checks what every decoder needs: heads divide the hidden size or head_dim
/// is given, and KV heads divide heads.
void check_heads(const hlo::decoder_spec &spec, const json::value &config);

[[noreturn]] void refuse(const json::value &config, const std::string &field,
                         const std::string &found, const std::string &accepted);

} // namespace ganglion::runtime
