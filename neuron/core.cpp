#include "neuron/core.hpp"

#include "hlo/support/error.hpp"

#include <cstdio>

namespace ganglion::neuron {

std::string human_bytes(std::size_t bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  for (; value >= 1024 && unit < 4; ++unit)
    value /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", value,
                units[unit]);
  return text;
}

std::size_t core::reserved() const {
  std::size_t total = 0;
  for (const auto &r : ledger_)
    total += r.bytes;
  return total;
}

void core::reserve(const std::vector<reservation> &wanted) {
  std::size_t total = reserved();
  std::string parts;
  for (const auto &r : wanted) {
    total += r.bytes;
    parts += (parts.empty() ? "" : ", ") + r.what + " " + human_bytes(r.bytes);
  }
  if (total > budget_)
    throw error(error_code::out_of_memory,
                "needs " + human_bytes(total) + " (" + parts + ") of " +
                    human_bytes(budget_) +
                    "; raise tensor_parallel_degree, or lower n_positions, "
                    "max_rolling_batch_size, kv_blocks or the dtype",
                "core " + std::to_string(id_));
  ledger_.insert(ledger_.end(), wanted.begin(), wanted.end());
}

} // namespace ganglion::neuron
