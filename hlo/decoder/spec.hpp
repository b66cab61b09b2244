// What a decoder is, as plain data: the meeting point of HuggingFace configs
// (families fill it in) and graphs (the step graph is built from it).
#pragma once

#include "hlo/composites/activation.hpp"
#include "hlo/composites/rotary.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ganglion::hlo {

enum class norm_kind { rms, layer };
enum class position_kind { rotary, learned, alibi };

/// What follows attention in a layer.
enum class mlp_kind {
  gated,   ///< f(gate x) * (up x), then down
  plain,   ///< f(up x), then down
  experts, ///< a mixture of gated ones without biases, chosen row by row
};

/// Where the norms of a layer's two branches, attention and MLP, stand.
enum class norm_place {
  before,      ///< a branch reads the normed stream and adds to the stream
  before_kept, ///< it reads the normed stream and adds to the normed one
  after,       ///< it reads the stream; the sum is normed
};

/// How the two branches follow each other.
enum class residual_kind {
  sequential,      ///< the MLP reads what attention has added to
  parallel,        ///< both read the layer's input, each with its own norm
  parallel_shared, ///< both read the layer's input through one norm
};

/// Rotary embedding with its scaling already folded into the frequencies.
struct rotary_spec {
  std::vector<float> frequencies; ///< one per rotated pair
  double scale = 1.0;             ///< multiplies cosines and sines
  /// Frequencies that follow the length of the sequence instead.
  std::optional<dynamic_frequencies> dynamic;
  rotary_pairs pairs = rotary_pairs::halves;
};

struct decoder_spec {
  std::string family;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t mlp = 0; ///< intermediate size, of each expert if any
  std::int64_t vocabulary = 0;
  std::int64_t n_positions = 0; ///< positions where nothing else is asked for
  /// The longest sequence that may be asked for, 0 for any.
  std::int64_t position_limit = 0;

  norm_kind norm = norm_kind::rms;
  double norm_eps = 1e-5;
  norm_place norms = norm_place::before;
  residual_kind residual = residual_kind::sequential;
  bool embedding_norm = false; ///< a norm right after the embedding
  bool query_key_norm = false; ///< RMSNorm of each query and key head
  bool final_norm = true;
  position_kind position = position_kind::rotary;
  rotary_spec rotary;
  std::vector<float> alibi_slopes; ///< one per head
  std::int64_t window = 0;         ///< positions a row sees; 0: all
  /// Width of the token embedding where it is projected to the hidden size,
  /// and back before the head; 0: it is the hidden size.
  std::int64_t embedding_width = 0;
  mlp_kind mlp_form = mlp_kind::gated;
  std::int64_t experts = 0;           ///< of a layer; 0: no mixture
  std::int64_t experts_per_token = 0; ///< chosen for a row
  activation act = activation::silu;
  bool qkv_bias = false;
  bool output_bias = false;
  bool mlp_bias = false;
  bool head_bias = false;
  bool tied_head = false; ///< the head is the token embedding

  /// Type of the checkpoint's weights.
  element_type stored_type = element_type::f32;
  /// The checkpoint has each rank's parts of its weights, and no whole rows.
  bool presharded = false;
};

} // namespace ganglion::hlo
