// Makes a random checkpoint of any shape in HuggingFace's format, for
// benchmarks and tests that need a size rather than a meaning.
#pragma once

#include "runtime/checkpoint/tensor_dtype.hpp"

#include <cstdint>
#include <string>

namespace ganglion::runtime {

enum class synthetic_family { llama, gpt2, mixtral };

struct synthetic_spec {
  synthetic_family family = synthetic_family::llama;
  std::int64_t hidden = 64;
  std::int64_t layers = 2;
  std::int64_t heads = 4;
  std::int64_t kv_heads = 4; ///< gpt2: must equal `heads`
  std::int64_t ffn = 172;    ///< of each expert in a mixtral
  std::int64_t vocab = 320;
  std::int64_t positions = 2048;
  std::int64_t experts = 8; ///< mixtral only, like the next
  std::int64_t experts_per_token = 2;
  bool tied = false; ///< output projection is the embedding
  tensor_dtype dtype = tensor_dtype::f32; ///< f32, f16 or bf16
  std::uint64_t seed = 0;
};

/// Creates `directory` with config.json, generation_config.json and
/// model.safetensors: weights normal with deviation 0.02, norm weights 1. The
/// same spec gives the same bytes on any number of threads. There is no
/// tokenizer. Throws `invalid_argument` naming the field of a spec that no
/// model can have, and file errors.
void write_synthetic_checkpoint(const std::string &directory,
                                const synthetic_spec &spec);

/// Parameters of a model with that shape.
std::uint64_t parameter_count(const synthetic_spec &spec);

} // namespace ganglion::runtime
