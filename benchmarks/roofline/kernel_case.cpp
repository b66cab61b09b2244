#include "benchmarks/roofline/kernel_case.hpp"

#include "hlo/support/aligned_buffer.hpp"
#include "hlo/support/float_types.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <vector>

namespace ganglion::benchmarks {

using neuron::element_type;

double kernel_case::measure(neuron::thread_team &team) const {
  using clock = std::chrono::steady_clock;
  constexpr double enough = 5e-3;
  const auto seconds_of = [&](std::int64_t runs) {
    const std::function<void(int)> work = [&](int member) {
      for (std::int64_t i = 0; i < runs; ++i) {
        run({member, team.size()});
        team.barrier();
      }
    };
    const auto start = clock::now();
    team.run(work);
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  const double one = seconds_of(1); // also brings the memory near
  const auto runs = std::clamp<std::int64_t>(
      static_cast<std::int64_t>(enough / one), 1, 10000);
  return seconds_of(runs) / static_cast<double>(runs);
}

namespace {

/// Small numbers of both signs, none of them denormal.
aligned_buffer filled(std::int64_t elements, element_type type) {
  aligned_buffer out(static_cast<std::size_t>(elements) * byte_size(type));
  std::uint32_t state = 1;
  for (std::int64_t i = 0; i < elements; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = (static_cast<float>(state >> 16) - 32767.5f) / 65536.0f;
    if (type == element_type::s8)
      reinterpret_cast<std::int8_t *>(out.data())[i] =
          static_cast<std::int8_t>(254.0f * x);
    else if (type == element_type::f32)
      reinterpret_cast<float *>(out.data())[i] = x;
    else
      reinterpret_cast<bfloat16 *>(out.data())[i] = to_bfloat16(x);
  }
  return out;
}

double bytes_of(element_type type) {
  return static_cast<double>(byte_size(type));
}

class linear_work final : public kernel_case {
public:
  linear_work(element_type type, std::int64_t rows, std::int64_t n,
              std::int64_t k, bool gated, std::int64_t group)
      : kernels_(neuron::kernels_for(neuron::selected_isa())),
        weight_elements_((n + neuron::panel_width - 1) / neuron::panel_width *
                         neuron::panel_width * ((k + 3) / 4 * 4)),
        scales_(filled(std::max(rows, n), element_type::f32)),
        x_(filled(rows * k, type)),
        weights_(filled(weight_elements_ * (gated ? 2 : 1), type)),
        out_(static_cast<std::size_t>(rows * n) * sizeof(float)) {
    if (group > 0)
      bind_groups(rows, n, k, gated, group);
    const bool int8 = type == element_type::s8;
    args_.type = args_.weight_type = type;
    args_.bias_type = int8 ? element_type::bf16 : type;
    args_.out_type = gated ? args_.bias_type : element_type::f32;
    if (int8)
      args_.row_scale = reinterpret_cast<const float *>(scales_.data());
    if (int8 && group == 0) {
      args_.scale = reinterpret_cast<const float *>(scales_.data());
      args_.scale_gated = gated ? args_.scale : nullptr;
    }
    args_.x = x_.data();
    args_.w = weights_.data();
    if (gated) {
      args_.w_gated = weights_.data() + weights_.size() / 2;
      args_.activation = neuron::act::silu;
    }
    args_.out = out_.data();
    args_.rows = rows;
    args_.n = n;
    args_.k = k;
  }
  double operations() const override {
    return 2 * static_cast<double>(args_.rows) * elements();
  }
  double bytes() const override {
    const double scale = static_cast<double>(sizeof(float16));
    return args_.group > 0
               ? elements() * (0.5 + scale / static_cast<double>(args_.group))
               : elements() * bytes_of(args_.type);
  }

protected:
  void run(neuron::work_share share) const override {
    kernels_.linear(args_, share);
  }

private:
  void bind_groups(std::int64_t rows, std::int64_t n, std::int64_t k,
                   bool gated, std::int64_t group) {
    const auto groups = (k + group - 1) / group;
    const auto panels = (n + neuron::panel_width - 1) / neuron::panel_width;
    const auto one = panels * neuron::panel_width * groups;
    // Small numbers of bf16 are such of f16, too.
    group_scales_ = filled(one * 2, element_type::bf16);
    group_sums_ = filled(rows * groups, element_type::f32);
    args_.group = group;
    args_.group_scale = reinterpret_cast<const float16 *>(group_scales_.data());
    args_.group_scale_gated = gated ? args_.group_scale + one : nullptr;
    args_.group_sums =
        reinterpret_cast<const std::int32_t *>(group_sums_.data());
  }

  double elements() const {
    return static_cast<double>(args_.n * args_.k) * (args_.w_gated ? 2 : 1);
  }

  const neuron::kernel_set &kernels_;
  std::int64_t weight_elements_;
  aligned_buffer scales_, x_, weights_, out_, group_scales_, group_sums_;
  neuron::linear_args args_{};
};

class attention_work final : public kernel_case {
public:
  attention_work(element_type type, std::int64_t rows, std::int64_t sequences,
                 const attention_size &size)
      : kernels_(neuron::kernels_for(neuron::selected_isa())),
        size_(size),
        sequences_(sequences),
        query_(filled(rows * size.heads * size.width, type)),
        keys_(filled(cache_elements(), type)),
        values_(filled(cache_elements(), type)),
        out_(static_cast<std::size_t>(rows * size.heads * size.width) *
             sizeof(float)),
        lengths_(static_cast<std::size_t>(sequences),
                 static_cast<std::int32_t>(size.context)),
        tables_(static_cast<std::size_t>(sequences * blocks())) {
    std::iota(tables_.begin(), tables_.end(), 0);
    const std::int64_t each = rows / sequences;
    for (std::int64_t r = 0; r < rows; ++r) {
      slots_.push_back(static_cast<std::int32_t>(r / each));
      positions_.push_back(
          static_cast<std::int32_t>(size.context - each + r % each));
    }
    bind(type, rows);
  }
  double operations() const override {
    double attended = 0;
    for (const auto position : positions_)
      attended += position + 1;
    return 4 * attended * static_cast<double>(size_.heads * size_.width);
  }
  double bytes() const override {
    return 2 *
           static_cast<double>(sequences_ * size_.context * size_.kv_heads *
                               size_.width) *
           bytes_of(args_.type);
  }

protected:
  void run(neuron::work_share share) const override {
    kernels_.attention(args_, share);
  }

private:
  static constexpr std::int64_t block = 32;

  std::int64_t blocks() const { return (size_.context + block - 1) / block; }
  std::int64_t cache_elements() const {
    return sequences_ * blocks() * block * size_.kv_heads * size_.width;
  }
  void bind(element_type type, std::int64_t rows) {
    args_.type = args_.out_type = type;
    args_.query = query_.data();
    args_.keys = keys_.data();
    args_.values = values_.data();
    args_.positions = positions_.data();
    args_.row_slots = slots_.data();
    args_.block_tables = tables_.data();
    args_.context_lengths = lengths_.data();
    args_.out = out_.data();
    args_.rows = rows;
    args_.heads = size_.heads;
    args_.kv_heads = size_.kv_heads;
    args_.width = size_.width;
    args_.block = block;
    args_.max_blocks = blocks();
    args_.scale = 0.125f;
  }

  const neuron::kernel_set &kernels_;
  attention_size size_;
  std::int64_t sequences_;
  aligned_buffer query_, keys_, values_, out_;
  std::vector<std::int32_t> lengths_, tables_, slots_, positions_;
  neuron::attention_args args_{};
};

} // namespace

std::unique_ptr<kernel_case> linear_case(element_type type, std::int64_t rows,
                                         std::int64_t n, std::int64_t k,
                                         bool gated, std::int64_t group) {
  return std::make_unique<linear_work>(type, rows, n, k, gated, group);
}

std::unique_ptr<kernel_case> attention_case(element_type type,
                                            std::int64_t rows,
                                            std::int64_t sequences,
                                            const attention_size &size) {
  return std::make_unique<attention_work>(type, rows, sequences, size);
}

const peak_kernel &peak_of(const probe_kernels &probes, element_type type) {
  const auto name = type == element_type::s8 ? "int8" : to_string(type);
  for (const peak_kernel &kernel : probes.peaks)
    if (kernel.type == name)
      return kernel;
  return probes.peaks[0];
}

} // namespace ganglion::benchmarks
