// Runs compiled programs on literals, packing each as the program wants.
#pragma once

#include "hlo/literal.hpp"
#include "neuron/compiler/compiler.hpp"
#include "neuron/program_form.hpp"

#include <algorithm>

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
    neuron::to_program_form(value, code_->parameters[parameter],
                            memory_[parameter].data());
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
    return neuron::from_program_form(*code_, k, frame_.at(code_->outputs[k]));
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
