// What a step must do at least: the multiply-adds and the bytes that no
// implementation can avoid.
#pragma once

#include "hlo/decoder/quantisation.hpp"
#include "hlo/decoder/spec.hpp"
#include "hlo/element_type.hpp"

namespace ganglion::benchmarks {

struct step_work {
  double operations = 0; ///< a multiply-add counts as two
  double bytes = 0;      ///< weights once, keys and values once a sequence

  step_work &operator+=(const step_work &more);
};

/// The whole model's work, all ranks together. A mixture of experts reads those
/// that `rows` rows choose: as many as they would by even chances, on average.
class step_cost {
public:
  step_cost(const hlo::decoder_spec &spec, hlo::element_type type,
            const hlo::weight_quantisation &quantize = {});

  /// `rows` consecutive tokens of one sequence from position `first`, with
  /// logits for `logit_rows` of them.
  step_work prefill(std::int64_t first, std::int64_t rows,
                    std::int64_t logit_rows) const;
  /// One token each of `batch` sequences that have `context` positions.
  step_work decode(std::int64_t batch, std::int64_t context) const;

  double weight_bytes() const {
    return matrices_.bytes + experts_.bytes + head_.bytes;
  }

private:
  step_work rows(double rows, double logit_rows, double attended,
                 double cached) const;

  struct matrices {
    double elements = 0, bytes = 0;
  };
  matrices matrices_;    ///< of all layers, but for experts
  matrices experts_;     ///< of all experts
  matrices head_;        ///< what gives the logits
  double chosen_ = 0;    ///< share of a layer's experts that a row is sent to
  double attention_ = 0; ///< operations per row and attended position
  double cache_ = 0;     ///< bytes per position
};

} // namespace ganglion::benchmarks
