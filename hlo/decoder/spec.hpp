// What a decoder is, as plain data: the meeting point of HuggingFace configs
// (families fill it in) and graphs (the step graph is built from it).
#pragma once

#include "hlo/composites/activation.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ganglion::hlo {

enum class norm_kind { rms, layer };
enum class position_kind { rotary, learned };
enum class mlp_kind { gated, plain };

/// Rotary embedding with its scaling already folded into the frequencies.
struct rotary_spec {
  std::vector<float> frequencies; ///< one per rotated pair
  double scale = 1.0;             ///< multiplies cosines and sines
};

struct decoder_spec {
  std::string family;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t mlp = 0; ///< intermediate size
  std::int64_t vocabulary = 0;
  std::int64_t n_positions = 0; ///< the longest sequence the model takes

  norm_kind norm = norm_kind::rms;
  double norm_eps = 1e-5;
  position_kind position = position_kind::rotary;
  rotary_spec rotary;
  mlp_kind mlp_form = mlp_kind::gated;
  activation act = activation::silu;
  bool qkv_bias = false;
  bool output_bias = false;
  bool mlp_bias = false;
  bool tied_head = false; ///< the head is the token embedding

  /// Type of the checkpoint's weights.
  element_type stored_type = element_type::f32;
};

} // namespace ganglion::hlo
