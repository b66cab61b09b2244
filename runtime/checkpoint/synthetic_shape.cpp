#include "runtime/checkpoint/synthetic_shape.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <utility>

namespace ganglion::runtime {

namespace {

using dims = std::vector<std::int64_t>;

/// Collects tensors that share an element type and a name prefix.
class tensor_list {
public:
  explicit tensor_list(tensor_dtype dtype) : dtype_(dtype) {}
  void prefix(std::string text) { prefix_ = std::move(text); }
  void add(const char *name, dims shape) {
    tensors_.push_back({prefix_ + name, dtype_, std::move(shape)});
  }
  /// A weight and a bias as wide as its last dimension.
  void add_with_bias(const std::string &name, const dims &shape) {
    add((name + ".weight").c_str(), shape);
    add((name + ".bias").c_str(), {shape.back()});
  }
  std::vector<tensor_spec> take() { return std::move(tensors_); }

private:
  tensor_dtype dtype_;
  std::string prefix_;
  std::vector<tensor_spec> tensors_;
};

void add_experts(tensor_list &list, const std::string &layer,
                 const synthetic_spec &s) {
  list.prefix(layer + "block_sparse_moe.");
  list.add("gate.weight", {s.experts, s.hidden});
  for (std::int64_t e = 0; e < s.experts; ++e) {
    list.prefix(layer + "block_sparse_moe.experts." + std::to_string(e) + ".");
    list.add("w1.weight", {s.ffn, s.hidden});
    list.add("w2.weight", {s.hidden, s.ffn});
    list.add("w3.weight", {s.ffn, s.hidden});
  }
}

/// LLaMA's, and Mixtral's with experts for the MLP.
std::vector<tensor_spec> llama_tensors(const synthetic_spec &s) {
  const std::int64_t kv = s.hidden / s.heads * s.kv_heads;
  tensor_list list(s.dtype);
  list.add("model.embed_tokens.weight", {s.vocab, s.hidden});
  for (std::int64_t i = 0; i < s.layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    list.prefix(layer);
    list.add("input_layernorm.weight", {s.hidden});
    list.add("self_attn.q_proj.weight", {s.hidden, s.hidden});
    list.add("self_attn.k_proj.weight", {kv, s.hidden});
    list.add("self_attn.v_proj.weight", {kv, s.hidden});
    list.add("self_attn.o_proj.weight", {s.hidden, s.hidden});
    list.add("post_attention_layernorm.weight", {s.hidden});
    if (s.family == synthetic_family::mixtral) {
      add_experts(list, layer, s);
      continue;
    }
    list.add("mlp.gate_proj.weight", {s.ffn, s.hidden});
    list.add("mlp.up_proj.weight", {s.ffn, s.hidden});
    list.add("mlp.down_proj.weight", {s.hidden, s.ffn});
  }
  list.prefix("");
  list.add("model.norm.weight", {s.hidden});
  if (!s.tied)
    list.add("lm_head.weight", {s.vocab, s.hidden});
  return list.take();
}

std::vector<tensor_spec> gpt2_tensors(const synthetic_spec &s) {
  tensor_list list(s.dtype);
  list.prefix("transformer.");
  list.add("wte.weight", {s.vocab, s.hidden});
  list.add("wpe.weight", {s.positions, s.hidden});
  for (std::int64_t i = 0; i < s.layers; ++i) {
    list.prefix("transformer.h." + std::to_string(i) + ".");
    list.add_with_bias("ln_1", {s.hidden});
    list.add_with_bias("attn.c_attn", {s.hidden, 3 * s.hidden});
    list.add_with_bias("attn.c_proj", {s.hidden, s.hidden});
    list.add_with_bias("ln_2", {s.hidden});
    list.add_with_bias("mlp.c_fc", {s.hidden, s.ffn});
    list.add_with_bias("mlp.c_proj", {s.ffn, s.hidden});
  }
  list.prefix("transformer.");
  list.add_with_bias("ln_f", {s.hidden});
  list.prefix("");
  if (!s.tied)
    list.add("lm_head.weight", {s.vocab, s.hidden});
  return list.take();
}

const char *torch_dtype(tensor_dtype dtype) {
  return dtype == tensor_dtype::f32   ? "float32"
         : dtype == tensor_dtype::f16 ? "float16"
                                      : "bfloat16";
}

void add_llama_fields(json::writer &w, const synthetic_spec &s) {
  const bool mixtral = s.family == synthetic_family::mixtral;
  w.key("architectures")
      .begin_array()
      .string(mixtral ? "MixtralForCausalLM" : "LlamaForCausalLM")
      .end_array();
  w.key("model_type").string(mixtral ? "mixtral" : "llama");
  if (mixtral) {
    w.key("num_local_experts").integer(s.experts);
    w.key("num_experts_per_tok").integer(s.experts_per_token);
  }
  w.key("hidden_act").string("silu");
  w.key("hidden_size").integer(s.hidden);
  w.key("intermediate_size").integer(s.ffn);
  w.key("num_hidden_layers").integer(s.layers);
  w.key("num_attention_heads").integer(s.heads);
  w.key("num_key_value_heads").integer(s.kv_heads);
  w.key("max_position_embeddings").integer(s.positions);
  w.key("rms_norm_eps").real(1e-5);
  w.key("rope_theta").real(10000);
}

void add_gpt2_fields(json::writer &w, const synthetic_spec &s) {
  w.key("architectures").begin_array().string("GPT2LMHeadModel").end_array();
  w.key("model_type").string("gpt2");
  w.key("activation_function").string("gelu_new");
  w.key("n_embd").integer(s.hidden);
  w.key("n_inner").integer(s.ffn);
  w.key("n_layer").integer(s.layers);
  w.key("n_head").integer(s.heads);
  w.key("n_positions").integer(s.positions);
  w.key("layer_norm_epsilon").real(1e-5);
}

void add_token_ids(json::writer &w, const synthetic_spec &s) {
  const bool gpt2 = s.family == synthetic_family::gpt2;
  w.key("bos_token_id").integer(gpt2 ? s.vocab - 1 : 1);
  w.key("eos_token_id").integer(gpt2 ? s.vocab - 1 : 2);
}

[[noreturn]] void refuse(const char *field, const std::string &message) {
  throw error(error_code::invalid_argument, message, "synthetic model", field);
}

} // namespace

void check_spec(const synthetic_spec &s) {
  // Far above any real model; keeps every product within 63 bits.
  constexpr std::int64_t most = 1 << 20;
  for (const auto &[field, value] :
       {std::pair("hidden", s.hidden), std::pair("layers", s.layers),
        std::pair("heads", s.heads), std::pair("kv_heads", s.kv_heads),
        std::pair("ffn", s.ffn), std::pair("vocab", s.vocab),
        std::pair("positions", s.positions), std::pair("experts", s.experts),
        std::pair("experts_per_token", s.experts_per_token)})
    if (value < 1 || value > most)
      refuse(field, "must be from 1 to " + std::to_string(most) + ", is " +
                        std::to_string(value));
  if (s.vocab < 3)
    refuse("vocab", "must hold at least 3 tokens");
  if (s.hidden % s.heads != 0)
    refuse("heads", "must divide hidden (" + std::to_string(s.hidden) + ")");
  if (s.heads % s.kv_heads != 0)
    refuse("kv_heads", "must divide heads (" + std::to_string(s.heads) + ")");
  if (s.experts_per_token > s.experts)
    refuse("experts_per_token",
           "must be at most experts (" + std::to_string(s.experts) + ")");
  if (s.family == synthetic_family::gpt2 && s.kv_heads != s.heads)
    refuse("kv_heads",
           "gpt2 has as many as heads (" + std::to_string(s.heads) + ")");
  if (s.dtype != tensor_dtype::f32 && s.dtype != tensor_dtype::f16 &&
      s.dtype != tensor_dtype::bf16)
    refuse("dtype", "accepted: F32, F16, BF16");
}

std::vector<tensor_spec> synthetic_tensors(const synthetic_spec &spec) {
  return spec.family == synthetic_family::gpt2 ? gpt2_tensors(spec)
                                               : llama_tensors(spec);
}

bool is_norm_weight(const std::string &name) {
  for (const char *end :
       {"norm.weight", "ln_1.weight", "ln_2.weight", "ln_f.weight"})
    if (name.ends_with(end))
      return true;
  return false;
}

std::string synthetic_config(const synthetic_spec &spec) {
  json::writer w;
  w.begin_object();
  if (spec.family == synthetic_family::gpt2)
    add_gpt2_fields(w, spec);
  else
    add_llama_fields(w, spec);
  add_token_ids(w, spec);
  w.key("tie_word_embeddings").boolean(spec.tied);
  w.key("torch_dtype").string(torch_dtype(spec.dtype));
  w.key("vocab_size").integer(spec.vocab);
  return w.end_object().text() + "\n";
}

std::string synthetic_generation_config(const synthetic_spec &spec) {
  json::writer w;
  w.begin_object();
  add_token_ids(w, spec);
  return w.end_object().text() + "\n";
}

} // namespace ganglion::runtime
