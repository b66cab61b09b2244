// The model that a mode runs: a directory the user names, or a random one made
// on the spot and removed afterwards.
#pragma once

#include "benchmarks/model/temporary_directory.hpp"
#include "runtime/checkpoint/synthetic.hpp"
#include "runtime/config/option_values.hpp"

#include <optional>
#include <string>

namespace ganglion::benchmarks {

/// Writes checkpoint and, where the vocabulary is large enough, a tokenizer.
void write_model(const std::string &directory,
                 const runtime::synthetic_spec &spec);

/// "f32", "f16" or "bf16" as a checkpoint's type.
runtime::tensor_dtype stored_dtype(const std::string &name);

class model_directory {
public:
  /// `values` has the rows of `shape_options()` and "model". Weights of a
  /// synthetic model are stored as `dtype`. Throws what writing throws.
  model_directory(const runtime::option_values &values,
                  const std::string &dtype);

  const std::string &path() const { return path_; }
  const std::string &description() const { return description_; }

private:
  std::optional<temporary_directory> own_;
  std::string path_, description_;
};

/// The row "model", and those of `shape_options()`, followed by `more`.
runtime::option_table with_model_options(runtime::option_table more);

} // namespace ganglion::benchmarks
