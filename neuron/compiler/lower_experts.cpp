// Mixture of experts on the host device: rows are copied to the experts they
// are sent to, every expert's products run on its rows alone, and the results
// are added up row by row. What an expert costs follows from its rows.
#include "hlo/composites/activation.hpp"
#include "neuron/compiler/lowering.hpp"

#include <algorithm>

namespace ganglion::neuron {

namespace {

/// Up to about so many rows a panel costs the time to read it.
constexpr std::int64_t rows_per_read = 16;

/// Memory of one call, one array after another.
class expert_scratch {
public:
  explicit expert_scratch(const hlo::instruction &call) {
    const hlo::shape &x = call.operand(0)->form;
    const auto experts = call.operand(1)->form.dim(1);
    const auto chosen = hlo::composite_attributes_of(call).integer("chosen");
    places_ = x.dim(0) * std::min(chosen, experts);
    const auto inner = call.operand(2)->form.dim(0);
    const auto element = static_cast<std::int64_t>(byte_size(x.type));
    constexpr std::int64_t word = 4;
    copies_ = next(places_ * x.dim(1) * element);
    inner_ = next(places_ * inner * element);
    product_ = next(places_ * x.dim(1) * word);
    first_ = next((experts + 1) * word);
    row_ = next(places_ * word);
    gate_ = next(places_ * word);
  }

  std::size_t bytes() const { return end_; }
  std::int64_t places() const { return places_; }

  std::byte *copies(std::byte *at) const { return at + copies_; }
  std::byte *inner(std::byte *at) const { return at + inner_; }
  std::byte *product(std::byte *at) const { return at + product_; }
  expert_places lists(std::byte *at) const {
    return {reinterpret_cast<std::int32_t *>(at + first_),
            reinterpret_cast<std::int32_t *>(at + row_),
            reinterpret_cast<float *>(at + gate_)};
  }

private:
  std::size_t next(std::int64_t bytes) {
    const std::size_t at = end_;
    end_ += (static_cast<std::size_t>(bytes) + buffer_alignment - 1) /
            buffer_alignment * buffer_alignment;
    return at;
  }

  std::int64_t places_ = 0;
  std::size_t end_ = 0;
  std::size_t copies_, inner_, product_, first_, row_, gate_;
};

/// What the phases of one call know.
struct expert_call {
  explicit expert_call(const lowering &l)
      : kernels(&l.kernels),
        bound(l.bound),
        whole(l.operand(0).dim(0)),
        type(l.operand(0).type),
        weight_type(l.operand(2).type),
        width(l.operand(0).dim(1)),
        inner(l.operand(2).dim(0)),
        experts(l.operand(1).dim(1)),
        activation(static_cast<act>(
            *hlo::activation_from(l.attributes().text("activation")))),
        x(l.operand_ref(0)),
        gates(l.operand_ref(1)),
        result(l.result_ref()),
        scratch(l.scratch_ref()),
        memory(l.instruction()) {
    for (std::size_t i = 2; i < l.operands(); ++i)
      weights.push_back(l.operand_ref(i));
  }

  const std::byte *weight(const run_frame &f, std::int64_t e, int which) const {
    return f.at(weights[static_cast<std::size_t>(3 * e + which)]);
  }

  /// Null for a weight that is not quantised.
  const float *scale(const run_frame &f, std::int64_t e, int which) const {
    return weight_type == element_type::s8
               ? reinterpret_cast<const float *>(weight(f, experts + e, which))
               : nullptr;
  }

  const kernel_set *kernels;
  row_bound bound;
  std::int64_t whole;
  element_type type, weight_type;
  std::int64_t width, inner, experts;
  act activation;
  buffer_ref x, gates, result, scratch;
  expert_scratch memory;
  /// Gate, up and down of every expert; the same of their scales, if any.
  std::vector<buffer_ref> weights;
};

/// Runs `product(e, first place, places, panel share)` for the panels of every
/// expert that belong to `share`: a stretch of the same cost for each thread.
template <class F>
void for_each_panel(const expert_places &lists, std::int64_t experts,
                    std::int64_t panels, work_share share, F product) {
  const auto cost_of = [&](std::int64_t e) {
    const std::int64_t rows = lists.first[e + 1] - lists.first[e];
    return rows > 0 ? rows + rows_per_read : 0;
  };
  std::int64_t total = 0;
  for (std::int64_t e = 0; e < experts; ++e)
    total += cost_of(e) * panels;
  const range mine = range_of(total, share);
  std::int64_t done = 0;
  for (std::int64_t e = 0; e < experts; ++e) {
    const std::int64_t cost = cost_of(e);
    for (std::int64_t p = 0; cost > 0 && p < panels; ++p, done += cost)
      if (done >= mine.begin && done < mine.end)
        product(e, lists.first[e], lists.first[e + 1] - lists.first[e],
                work_share{p, panels});
  }
}

std::int64_t panels_of(std::int64_t outputs) {
  return (outputs + panel_width - 1) / panel_width;
}

void dispatch(const expert_call &c, run_frame &f, work_share share) {
  std::byte *memory = f.at(c.scratch);
  dispatch_args a{};
  a.type = c.type;
  a.x = f.at(c.x);
  a.gates = reinterpret_cast<const float *>(f.at(c.gates));
  a.copies = c.memory.copies(memory);
  a.to = c.memory.lists(memory);
  a.rows = f.rows(c.bound, c.whole);
  a.experts = c.experts;
  a.width = c.width;
  a.places = c.memory.places();
  c.kernels->dispatch(a, share);
}

/// Both products: `set` gives the arguments of one expert's rows, which start
/// at a place.
template <class Set>
void expert_product(const expert_call &c, run_frame &f, work_share share,
                    linear_args a, Set set) {
  const expert_places lists = c.memory.lists(f.at(c.scratch));
  a.type = a.bias_type = c.type;
  a.weight_type = c.weight_type;
  for_each_panel(lists, c.experts, panels_of(a.n), share,
                 [&](std::int64_t e, std::int64_t first, std::int64_t rows,
                     work_share panel) {
                   a.rows = rows;
                   set(a, e, first);
                   c.kernels->linear(a, panel);
                 });
}

void gate_and_up(const expert_call &c, run_frame &f, work_share share) {
  std::byte *memory = f.at(c.scratch);
  const auto element = static_cast<std::int64_t>(byte_size(c.type));
  linear_args a{};
  a.out_type = c.type;
  a.n = c.inner;
  a.k = c.width;
  a.activation = c.activation;
  expert_product(c, f, share, a,
                 [&](linear_args &one, std::int64_t e, std::int64_t first) {
                   one.x = c.memory.copies(memory) + first * c.width * element;
                   one.w = c.weight(f, e, 0);
                   one.w_gated = c.weight(f, e, 1);
                   one.scale = c.scale(f, e, 0);
                   one.scale_gated = c.scale(f, e, 1);
                   one.out = c.memory.inner(memory) + first * c.inner * element;
                 });
}

void down(const expert_call &c, run_frame &f, work_share share) {
  std::byte *memory = f.at(c.scratch);
  const auto element = static_cast<std::int64_t>(byte_size(c.type));
  linear_args a{};
  a.out_type = element_type::f32;
  a.n = c.width;
  a.k = c.inner;
  a.activation = act::none;
  expert_product(c, f, share, a,
                 [&](linear_args &one, std::int64_t e, std::int64_t first) {
                   one.x = c.memory.inner(memory) + first * c.inner * element;
                   one.w = c.weight(f, e, 2);
                   one.scale = c.scale(f, e, 2);
                   one.out =
                       reinterpret_cast<float *>(c.memory.product(memory)) +
                       first * c.width;
                 });
}

void combine(const expert_call &c, run_frame &f, work_share share) {
  std::byte *memory = f.at(c.scratch);
  combine_args a{};
  a.y = reinterpret_cast<const float *>(c.memory.product(memory));
  a.from = c.memory.lists(memory);
  a.out = reinterpret_cast<float *>(f.at(c.result));
  a.rows = f.rows(c.bound, c.whole);
  a.experts = c.experts;
  a.width = c.width;
  c.kernels->combine(a, share);
}

} // namespace

std::size_t expert_scratch_bytes(const hlo::instruction &call) {
  return expert_scratch(call).bytes();
}

std::vector<kernel_phase> expert_phases(const lowering &l) {
  const auto call = std::make_shared<const expert_call>(l);
  const auto phase = [&](const char *name, auto work) {
    return kernel_phase{name, [call, work](run_frame &f, work_share share) {
                          work(*call, f, share);
                        }};
  };
  return {phase("dispatch", dispatch), phase("up", gate_and_up),
          phase("down", down), phase("combine", combine)};
}

kernel_body lower_route(const lowering &l) {
  const auto x = l.operand_ref(0), y = l.result_ref();
  const auto experts = l.operand(0).dim(1);
  const auto chosen = l.attributes().integer("chosen");
  return [=, run = l.kernels.route, bound = l.bound,
          whole = l.operand(0).dim(0)](run_frame &f, work_share share) {
    route_args a{};
    a.logits = reinterpret_cast<const float *>(f.at(x));
    a.gates = reinterpret_cast<float *>(f.at(y));
    a.rows = f.rows(bound, whole);
    a.experts = experts;
    a.chosen = chosen;
    run(a, share);
  };
}

} // namespace ganglion::neuron
