// One kernel with memory to work on, run by a team and timed.
#pragma once

#include "benchmarks/roofline/probe_kernels.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "neuron/kernels/kernels.hpp"

#include <memory>

namespace ganglion::benchmarks {

class kernel_case {
public:
  virtual ~kernel_case() = default;
  /// The least that one run needs.
  virtual double operations() const = 0;
  virtual double bytes() const = 0;
  /// Seconds of one run, from a few milliseconds of them.
  double measure(neuron::thread_team &team) const;

protected:
  virtual void run(neuron::work_share share) const = 0;
};

/// `rows` rows by a weight [n, k], or by a gated pair of them. s8: both are,
/// as of quantize=int8_dynamic, or quantize=int4 where there is a group.
std::unique_ptr<kernel_case> linear_case(neuron::element_type type,
                                         std::int64_t rows, std::int64_t n,
                                         std::int64_t k, bool gated,
                                         std::int64_t group = 0);

struct attention_size {
  std::int64_t heads, kv_heads, width, context;
};

/// The last `rows` positions of a context, dealt to `sequences` sequences.
std::unique_ptr<kernel_case> attention_case(neuron::element_type type,
                                            std::int64_t rows,
                                            std::int64_t sequences,
                                            const attention_size &size);

/// The fastest multiply-add of an instruction set for a type or, where it has
/// none, for f32.
const peak_kernel &peak_of(const probe_kernels &probes,
                           neuron::element_type type);

} // namespace ganglion::benchmarks
