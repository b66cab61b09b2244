// The programs of transformers-neuronx's README: generate from padded texts,
// then save what was compiled and start again without compiling.
#include "actors/ganglion.hpp"
#include "hlo/support/log.hpp"

#include <iostream>

using namespace ganglion;

int main(int argc, char **argv) try {
  log::configure("warn"); // to standard error
  const std::string directory = argc > 1 ? argv[1] : "models/stories260k";
  const std::string work = argc > 2 ? argv[2] : ".";

  // Load and save the checkpoint, one file per tensor.
  auto_model::from_pretrained(directory).save_pretrained_split(work + "/split");

  // Create and compile the model.
  const model_options options{
      .batch_size = 2, .tp_degree = 2, .n_positions = 256, .amp = "f32"};
  auto model = auto_model::from_pretrained(work + "/split", options);
  model.to_neuron();

  // Encode texts into one batch, padded at the left.
  const auto tokenizer = auto_tokenizer::from_pretrained(directory);
  const auto encoded =
      tokenizer({"Once upon a time", "Lily and Ben are friends. They"},
                {.padding = padding::longest,
                 .padding_side = text_side::left,
                 .pad_token_id = tokenizer.eos_token_id()});

  // Run inference using temperature.
  hf_generation_adapter adapter(model);
  adapter.reset_generation();
  const auto output = adapter.generate(
      encoded.input_ids, encoded.attention_mask,
      {.do_sample = true, .max_length = 256, .temperature = 0.7f});
  for (const auto &text : tokenizer.batch_decode(output, true))
    std::cout << text << '\n';

  // Save the compiled model; load it and skip compilation.
  model.save(work + "/compiled");
  auto again = auto_model::from_pretrained(work + "/split", options);
  again.load(work + "/compiled");
  again.to_neuron();
  std::cout << "compiled " << again.running_engine().status().compilations
            << " programs the second time\n";
  const auto ids = again.sample({encoded.input_ids[1]}, 40, {.top_k = 50});
  std::cout << tokenizer.decode(ids[0], true) << '\n';
  return 0;
} catch (const error &why) {
  std::cerr << "ganglion-hf-program: " << why.describe() << '\n';
  return 1;
}
