// The programming model of transformers-neuronx: a model is made from a
// directory, put on the device, and sampled from in batches of token ids.
// Blocking calls over the same engine and actors. No CAF in this header.
#pragma once

#include "actors/engine.hpp"
#include "actors/model_options.hpp"
#include "runtime/generation/generation_config.hpp"
#include "runtime/tokenizer/batch_encoding.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ganglion {

using runtime::generation_config;
using runtime::token_rows;

/// Hears every new token, in order within a row, on the thread that called.
/// Returning false ends the row; what it throws ends the call.
using token_streamer = std::function<bool(std::size_t row, std::int32_t token)>;

/// Arguments of `auto_model::sample`.
struct sample_options {
  std::optional<std::int32_t> top_k = 50; ///< above 0, or nothing: all tokens
  float top_p = 1.0f;                     ///< (0, 1]
  float temperature = 1.0f;               ///< above 0
  /// The first real column of each row, left of which is padding; empty: 0.
  std::vector<std::int64_t> start_ids = {};
  /// Ids that end a row instead of the model's own; an empty list: none does.
  std::optional<std::vector<std::int32_t>> eos_token_override = {};
  /// Row i draws with `seed` + i; nothing: seeds of the engine's choice.
  std::optional<std::uint64_t> seed = {};
  token_streamer streamer = {};
};

/// Arguments of `auto_model::forward`.
struct forward_options {
  /// Of every column, not of the last token; nothing: as the model's option of
  /// that name says.
  std::optional<bool> output_all_logits = {};
};

struct forward_output {
  /// Of each row [positions, vocabulary]; padding has zeros.
  std::vector<std::vector<float>> logits;
  std::int64_t positions = 0; ///< columns of the input, or 1: the last token
  std::int64_t vocabulary = 0;

  std::span<const float> at(std::size_t row, std::int64_t position) const {
    const auto width = static_cast<std::size_t>(vocabulary);
    return std::span(logits[row])
        .subspan(static_cast<std::size_t>(position) * width, width);
  }
};

/// Arguments of `auto_model::save`.
struct save_options {
  /// Also the packed weights of all ranks, to be mapped by the next start.
  bool packed_weights = false;
  /// Also the checkpoint with a tensor for each rank's part, which
  /// `from_pretrained` reads from the same directory at the same degree.
  bool sharded_weights = false;
};

/// What one row of a call came to.
struct generated_row {
  std::vector<std::int32_t> ids;                    ///< new tokens
  std::shared_ptr<const std::vector<float>> logits; ///< of prompt logits
};

/// A handle: copies are the same model, which ends with the last of them.
/// `to_neuron` must not run beside other calls; after it, any number of
/// threads may call at once: their rows share the device and wait for each
/// other. Calls that need the device throw `unavailable` before `to_neuron`;
/// all throw `error`, naming the argument, for what they cannot serve.
class auto_model {
public:
  /// Reads the configuration and checks options, tensor names and shapes, and
  /// memory. Throws what `config_of`, `open_model` and `plan_model` throw.
  static auto_model from_pretrained(const std::string &directory,
                                    const model_options &options = {});

  /// Compiles, loads the weights and blocks until the model is ready. Nothing
  /// happens when it already is.
  void to_neuron(load_observer observer = {});

  /// Continues each row until `sequence_length` tokens in all, padding
  /// included, or its end of text; always draws (`top_k` 1 is greedy). Returns
  /// rows of one length, the given ids first; a row that ended before the
  /// others is filled with the first end of text id (0 if there is none).
  token_rows sample(const token_rows &input_ids, std::int64_t sequence_length,
                    const sample_options &options = {}) const;

  /// The logits of given tokens. `attention_mask` has the shape of the ids and
  /// may mask padding at either side; empty: all are tokens.
  forward_output forward(const token_rows &input_ids,
                         const token_rows &attention_mask = {},
                         const forward_options &options = {}) const;

  /// One request a row, at most batch_size of them; what `sample`, `forward`
  /// and `generate` are made of. Throws the error of the first row that fails.
  std::vector<generated_row> run(std::vector<generation_request> rows,
                                 const token_streamer &streamer = {}) const;

  /// Writes the checkpoint into `directory`, which is made: one file per
  /// tensor, and the small files of the model. `from_pretrained` reads it.
  void save_pretrained_split(const std::string &directory) const;

  /// Writes what was compiled into `directory`, which is made. Programs fit
  /// every checkpoint of the shape, packed weights this one. Throws
  /// `unavailable` when the disk refuses.
  void save(const std::string &directory,
            const save_options &options = {}) const;
  /// Lets `to_neuron` take from `directory` what `save` wrote there instead of
  /// compiling; it then throws `invalid_argument`, naming the field and both
  /// values, when that was made with other options. Throws `not_found` when
  /// nothing was saved there, and `invalid_argument` after `to_neuron`.
  void load(const std::string &directory);

  /// Ends all calls under way, which throw `cancelled`, and frees their cache.
  /// Rows keep nothing from one call to the next in any case.
  void reset();

  const std::string &directory() const;
  const model_options &options() const;
  /// What the directory says about generating text.
  const generation_config &generation_defaults() const;
  std::int64_t n_positions() const;

  /// The engine underneath; requests of a host's own run beside these calls.
  engine &running_engine() const;

private:
  class implementation;
  explicit auto_model(std::shared_ptr<implementation> self);
  std::shared_ptr<implementation> self_;
};

} // namespace ganglion
