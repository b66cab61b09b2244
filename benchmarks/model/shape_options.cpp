#include "benchmarks/model/shape_options.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;
using runtime::synthetic_spec;

struct shape_row {
  std::string_view name;
  synthetic_spec spec;
};

const shape_row shapes[] = {
    {"15m",
     {.hidden = 288,
      .layers = 6,
      .heads = 6,
      .kv_heads = 6,
      .ffn = 768,
      .vocab = 32000,
      .tied = true}},
    {"110m",
     {.hidden = 768,
      .layers = 12,
      .heads = 12,
      .kv_heads = 12,
      .ffn = 2048,
      .vocab = 32000,
      .tied = true}},
    {"1.1b",
     {.hidden = 2048,
      .layers = 22,
      .heads = 32,
      .kv_heads = 4,
      .ffn = 5632,
      .vocab = 32000}},
    {"7b",
     {.hidden = 4096,
      .layers = 32,
      .heads = 32,
      .kv_heads = 32,
      .ffn = 11008,
      .vocab = 32000}},
    {"70b",
     {.hidden = 8192,
      .layers = 80,
      .heads = 64,
      .kv_heads = 8,
      .ffn = 28672,
      .vocab = 128256}},
};

runtime::option_spec size_option(std::string_view name, std::string_view help) {
  return {.name = name,
          .kind = option_kind::integer,
          .help = help,
          .least = 1,
          .most = 1 << 20};
}

} // namespace

runtime::option_table shape_options() {
  return {
      {.name = "shape",
       .kind = option_kind::choice,
       .fallback = "110m",
       .help = "a named shape of a random llama",
       .choices = shape_names()},
      {.name = "family",
       .kind = option_kind::choice,
       .fallback = "llama",
       .help = "family of the random model",
       .choices = {"llama", "gpt2", "mixtral"}},
      size_option("hidden", "width, instead of the shape's"),
      size_option("layers", "layers, instead of the shape's"),
      size_option("heads", "query heads, instead of the shape's"),
      size_option("kv_heads", "KV heads, instead of the shape's or as heads"),
      size_option("ffn", "MLP width, instead of the shape's"),
      size_option("experts", "experts of a layer of a mixtral; default: 8"),
      size_option("experts_per_token",
                  "experts a mixtral sends a token to; default: 2"),
      size_option("vocab", "vocabulary, instead of the shape's"),
      {.name = "tied",
       .kind = option_kind::boolean,
       .help = "output matrix is the embedding, instead of the shape's"},
      {.name = "seed",
       .kind = option_kind::integer,
       .fallback = "0",
       .help = "of the random weights",
       .least = 0},
  };
}

std::vector<std::string_view> shape_names() {
  std::vector<std::string_view> out;
  for (const shape_row &s : shapes)
    out.push_back(s.name);
  return out;
}

synthetic_spec named_shape(std::string_view name) {
  for (const shape_row &s : shapes)
    if (s.name == name)
      return s.spec;
  throw error(error_code::invalid_argument,
              "'" + std::string(name) + "' is no shape", {}, "shape");
}

synthetic_spec shape_of(const runtime::option_values &values) {
  synthetic_spec spec = named_shape(values.string("shape"));
  const auto take = [&](std::string_view name, std::int64_t &field) {
    if (values.is_set(name))
      field = values.integer(name);
  };
  take("hidden", spec.hidden);
  take("layers", spec.layers);
  take("heads", spec.heads);
  if (values.is_set("heads"))
    spec.kv_heads = spec.heads;
  take("kv_heads", spec.kv_heads);
  take("ffn", spec.ffn);
  take("experts", spec.experts);
  take("experts_per_token", spec.experts_per_token);
  take("vocab", spec.vocab);
  if (values.is_set("tied"))
    spec.tied = values.boolean("tied");
  if (values.string("family") == "gpt2")
    spec.family = runtime::synthetic_family::gpt2;
  if (values.string("family") == "mixtral")
    spec.family = runtime::synthetic_family::mixtral;
  spec.seed = static_cast<std::uint64_t>(values.integer("seed"));
  return spec;
}

std::string describe(const synthetic_spec &spec) {
  using enum runtime::synthetic_family;
  const std::string experts =
      spec.family == mixtral
          ? ", " + std::to_string(spec.experts) + " experts, " +
                std::to_string(spec.experts_per_token) + " for a token"
          : "";
  return std::string(spec.family == llama  ? "llama "
                     : spec.family == gpt2 ? "gpt2 "
                                           : "mixtral ") +
         std::to_string(spec.hidden) + " wide, " + std::to_string(spec.layers) +
         " layers, " + std::to_string(spec.heads) + " heads, " +
         std::to_string(spec.kv_heads) + " KV heads, ffn " +
         std::to_string(spec.ffn) + experts + ", vocabulary " +
         std::to_string(spec.vocab) + (spec.tied ? ", tied, " : ", ") +
         std::to_string(runtime::parameter_count(spec) / 1'000'000) +
         " million parameters";
}

runtime::option_table with_shape_options(runtime::option_table more) {
  auto all = shape_options();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

} // namespace ganglion::benchmarks
