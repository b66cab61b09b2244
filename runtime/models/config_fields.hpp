// Reading HuggingFace config fields that several families share, and refusing
// by name the values that a family does not implement.
#pragma once

#include "hlo/decoder/spec.hpp"
#include "runtime/json/reader.hpp"

#include <string>
#include <vector>

namespace ganglion::runtime {

/// A positive integer field; throws `invalid_argument` otherwise.
std::int64_t positive(const json::value &config, const std::string &field);
std::int64_t positive_or(const json::value &config, const std::string &field,
                         std::int64_t fallback);

/// Throws `unsupported` unless the boolean field is absent or `accepted`.
void expect_bool(const json::value &config, const std::string &field,
                 bool accepted);

/// The activation called by HuggingFace's name ("silu", "gelu_new", ...).
hlo::activation activation_field(const json::value &config,
                                 const std::string &field,
                                 const std::string &fallback);

/// torch_dtype, f32 when absent; the types that weights are computed in.
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
