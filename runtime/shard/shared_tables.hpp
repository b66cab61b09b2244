// The embedding tables, which every rank needs whole, as one mapping for all.
#pragma once

#include "runtime/models/model_source.hpp"
#include "runtime/shard/compiled_steps.hpp"

#include <map>
#include <memory>

namespace ganglion::runtime {

/// How weights come into memory.
struct weight_loading {
  /// Where packed weights of earlier starts are, and where new ones go; or
  /// null.
  std::shared_ptr<const artifact_set> artifacts;
  /// Takes each tensor of the checkpoint out of memory once it is packed.
  bool low_memory = false;
};

/// The checkpoint's own pages where they are what the program reads, otherwise
/// converted ones: a mapping of what an earlier start converted, or memory.
class shared_tables {
public:
  static std::shared_ptr<const shared_tables>
  load(std::shared_ptr<const model_source> model, const compiled_steps &steps,
       const hlo::placement &placed, const weight_loading &how = {});

  /// The table behind a parameter, or that its rows are looked up in by the
  /// host; null when it is not a shared one.
  const std::byte *find(std::int64_t parameter) const;
  /// Tables that were converted just now.
  std::size_t converted() const { return converted_.size(); }

private:
  const std::byte *convert(const hlo::weight_parameter &w,
                           const neuron::program_parameter &parameter,
                           const hlo::placement &placed,
                           const weight_loading &how);

  std::shared_ptr<const model_source> model_;
  std::vector<aligned_buffer> converted_;
  std::vector<mapped_file> mapped_;
  std::map<std::int64_t, const std::byte *> tables_;
};

/// Artefacts that a start of all ranks would make because `artifacts` does not
/// have them: packed weights, and converted tables.
std::size_t missing_weights(const model_source &model,
                            const compiled_steps &steps,
                            const hlo::placement &placed,
                            const artifact_set &artifacts);

} // namespace ganglion::runtime
