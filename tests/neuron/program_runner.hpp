// Runs compiled programs on literals, packing each as the program wants.
#pragma once

#include "hlo/composites/views.hpp"
#include "hlo/literal.hpp"
#include "neuron/compiler/compiler.hpp"

#include <algorithm>
#include <numeric>

namespace ganglion::testing {

struct run_settings {
  int threads = 1;
  std::int64_t live_tokens = 0, live_logits = 0;
  neuron::communicator *group = nullptr;
  int rank = 0;
};

/// A program with memory of its own.
class bound_program {
public:
  bound_program(std::shared_ptr<const neuron::program> code,
                std::span<const hlo::literal> arguments)
      : code_(std::move(code)),
        arena_(code_->memory_bytes(most_threads)) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      memory_.emplace_back(code_->parameters[i].bytes());
      frame_.parameters.push_back(memory_.back().data());
      set(i, arguments[i]);
    }
    frame_.arena = arena_.data();
  }

  /// Fills a parameter's memory.
  void set(std::size_t parameter, const hlo::literal &value) {
    const auto &want = code_->parameters[parameter];
    if (!want.order.empty())
      return store(parameter, permuted(value, want.form, want.order));
    if (want.how == neuron::packing::row_major)
      return store(parameter, value);
    if (value.form().rank() > 2)
      return set(parameter, untiled(value, want.form));
    neuron::weight_source s;
    s.type = want.form.type;
    s.data = value.bytes().data();
    s.row_stride = want.form.rank() > 1 ? want.form.dim(1) : 1;
    s.rows = counted(want.form.dim(0));
    s.columns = counted(s.row_stride);
    neuron::pack(s, want.form, want.how, memory_[parameter].data());
  }

  neuron::collective_status run(neuron::thread_team &team,
                                const run_settings &s = {}) {
    frame_.live_tokens = s.live_tokens;
    frame_.live_logits = s.live_logits;
    frame_.group = s.group;
    frame_.rank = s.rank;
    return code_->run(frame_, team);
  }

  neuron::collective_status run(const run_settings &s = {}) {
    neuron::thread_team team(s.threads, {}, false);
    return run(team, s);
  }

  hlo::literal output(std::size_t k) const {
    const auto place = code_->outputs[k];
    const auto &form = code_->output_shapes[k];
    if (place.where == neuron::buffer_ref::place::parameter)
      if (const auto &cache = code_->parameters[place.index];
          !cache.order.empty())
        return permuted(copy(frame_.at(place), cache.form), form,
                        hlo::inverse(cache.order));
    return copy(frame_.at(place), form);
  }
  std::vector<hlo::literal> outputs() const {
    std::vector<hlo::literal> out;
    for (std::size_t k = 0; k < code_->outputs.size(); ++k)
      out.push_back(output(k));
    return out;
  }
  hlo::literal parameter(std::size_t k) const {
    return copy(memory_[k].data(), code_->parameters[k].form);
  }
  const neuron::program &code() const { return *code_; }
  neuron::run_frame &frame() { return frame_; }

private:
  static constexpr int most_threads = 8;

  /// Dimension i of `to` is dimension order[i] of `from`.
  static hlo::literal permuted(const hlo::literal &from, const hlo::shape &to,
                               const hlo::dims &order) {
    hlo::literal out(to);
    const auto &d = from.form().dimensions;
    for (std::int64_t place = 0; place < to.size(); ++place) {
      hlo::dims at(d.size());
      std::int64_t rest = place;
      for (std::size_t i = d.size(); i-- > 0; rest /= to.dimensions[i])
        at[static_cast<std::size_t>(order[i])] = rest % to.dimensions[i];
      std::int64_t source = 0;
      for (std::size_t i = 0; i < d.size(); ++i)
        source = source * d[i] + at[i];
      out.set_real(place, from.real(source));
    }
    return out;
  }

  void store(std::size_t parameter, const hlo::literal &value) {
    std::copy(value.bytes().begin(), value.bytes().end(),
              memory_[parameter].data());
  }

  /// The matrix of a weight in tiles.
  static hlo::literal untiled(const hlo::literal &value,
                              const hlo::shape &form) {
    hlo::literal out(form);
    for (std::int64_t n = 0; n < form.dim(0); ++n)
      for (std::int64_t k = 0; k < form.dim(1); ++k)
        out.set_real(n * form.dim(1) + k,
                     value.real(neuron::element_place(value.form(), n, k)));
    return out;
  }

  static std::vector<std::int64_t> counted(std::int64_t n) {
    std::vector<std::int64_t> out(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    return out;
  }

  static hlo::literal copy(const std::byte *from, const hlo::shape &form) {
    hlo::literal out(form);
    std::copy_n(from, form.bytes(), out.bytes().data());
    return out;
  }

  std::shared_ptr<const neuron::program> code_;
  std::vector<aligned_buffer> memory_;
  aligned_buffer arena_;
  neuron::run_frame frame_;
};

/// The arrays of a value, through tuples.
inline std::vector<hlo::literal> arrays_of(const hlo::literal &value) {
  std::vector<hlo::literal> out;
  if (!value.form().tuple)
    out.push_back(value.clone());
  for (const auto &element : value.elements())
    for (auto &array : arrays_of(element))
      out.push_back(std::move(array));
  return out;
}

inline bool same_bits(const hlo::literal &a, const hlo::literal &b) {
  return a.bytes().size() == b.bytes().size() &&
         std::equal(a.bytes().begin(), a.bytes().end(), b.bytes().begin());
}

} // namespace ganglion::testing
