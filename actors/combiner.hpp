// Combines the parts of one collective after the other: the arithmetic of the
// message form, without messages.
#pragma once

#include "neuron/collectives/communicator.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ganglion::actors {

/// Collects parts of the ranks until all are there. Single-threaded.
class combiner {
public:
  explicit combiner(int ranks) : parts_(static_cast<std::size_t>(ranks)) {}

  struct result {
    neuron::collective_status status = neuron::collective_status::ok;
    std::shared_ptr<const std::vector<float>> data;
  };

  /// Adds a rank's part. Answers once the last part came, or at once when the
  /// part disagrees with those before it.
  std::optional<result> add(int rank, const neuron::collective_tag &tag,
                            std::shared_ptr<const std::vector<float>> data);

private:
  result combine() const;

  neuron::collective_tag tag_;
  std::size_t arrived_ = 0;
  std::vector<std::shared_ptr<const std::vector<float>>> parts_;
};

} // namespace ganglion::actors
