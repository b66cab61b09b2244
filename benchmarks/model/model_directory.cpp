#include "benchmarks/model/model_directory.hpp"

#include "benchmarks/model/shape_options.hpp"
#include "benchmarks/model/synthetic_tokenizer.hpp"
#include "hlo/support/error.hpp"

#include <fstream>

namespace ganglion::benchmarks {

void write_model(const std::string &directory,
                 const runtime::synthetic_spec &spec) {
  runtime::write_synthetic_checkpoint(directory, spec);
  if (spec.vocab < least_byte_vocabulary)
    return;
  std::ofstream file(directory + "/tokenizer.json", std::ios::binary);
  file << synthetic_tokenizer(spec.vocab);
  file.close();
  if (!file)
    throw error(error_code::unavailable, "cannot write",
                directory + "/tokenizer.json");
}

runtime::tensor_dtype stored_dtype(const std::string &name) {
  return name == "f32"   ? runtime::tensor_dtype::f32
         : name == "f16" ? runtime::tensor_dtype::f16
                         : runtime::tensor_dtype::bf16;
}

model_directory::model_directory(const runtime::option_values &values,
                                 const std::string &dtype)
    : path_(values.string("model")),
      description_(path_) {
  if (!path_.empty())
    return;
  auto spec = shape_of(values);
  spec.dtype = stored_dtype(dtype);
  path_ = own_.emplace().path();
  description_ = "random " + describe(spec);
  write_model(path_, spec);
}

runtime::option_table with_model_options(runtime::option_table more) {
  more.insert(more.begin(),
              {.name = "model",
               .help = "directory of a model, instead of a random one"});
  return with_shape_options(std::move(more));
}

} // namespace ganglion::benchmarks
