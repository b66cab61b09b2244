#include "neuron/instance.hpp"

#include <algorithm>

#include <unistd.h>

namespace ganglion::neuron {

namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

// Sizes from AWS's published instance tables; degrees from the tensor-parallel
// support table of transformers-neuronx.
const std::vector<instance_profile> profiles = {
    {"host", 0, 16 * gib, {}},
    {"trn1.2xlarge", 2, 16 * gib, {1, 2}},
    {"trn1.32xlarge", 32, 16 * gib, {1, 2, 8, 32}},
    {"trn1", 32, 16 * gib, {1, 2, 8, 32}},
    {"inf2.xlarge", 2, 16 * gib, {1, 2}},
    {"inf2.8xlarge", 2, 16 * gib, {1, 2}},
    {"inf2.24xlarge", 12, 16 * gib, {1, 2, 4, 8}},
    {"inf2.48xlarge", 24, 16 * gib, {1, 2, 4, 8, 24}},
    {"inf2", 24, 16 * gib, {1, 2, 4, 8, 24}},
};

template <class List, class Text>
std::string listed(const List &list, Text text) {
  std::string out;
  for (const auto &item : list)
    out += (out.empty() ? "" : ", ") + text(item);
  return out;
}

std::size_t machine_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

} // namespace

const instance_profile &profile_of(const std::string &name) {
  for (const auto &p : profiles)
    if (p.name == name)
      return p;
  throw error(error_code::invalid_argument,
              "unknown instance '" + name + "'; accepted: " +
                  listed(profiles, [](const auto &p) { return p.name; }),
              {}, "instance");
}

void check_tp_degree(const instance_profile &profile, std::int64_t tp_degree) {
  const auto &degrees = profile.tp_degrees;
  if (tp_degree < 1)
    throw error(error_code::invalid_argument,
                std::to_string(tp_degree) + " is not a number of cores; "
                                            "accepted: 1 or more",
                {}, "tensor_parallel_degree");
  if (degrees.empty() ||
      std::find(degrees.begin(), degrees.end(), tp_degree) != degrees.end())
    return;
  throw error(error_code::invalid_argument,
              std::to_string(tp_degree) + " is not permitted on " +
                  profile.name + "; accepted: " +
                  listed(degrees, [](auto d) { return std::to_string(d); }),
              {}, "tensor_parallel_degree");
}

std::size_t core_budget(const instance_profile &profile, std::int64_t ranks) {
  if (profile.name != "host")
    return profile.core_memory;
  return std::min(profile.core_memory,
                  machine_memory() / static_cast<std::size_t>(ranks));
}

} // namespace ganglion::neuron
