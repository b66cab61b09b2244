#include "neuron/compiler/module_run.hpp"

#include "hlo/composite.hpp"
#include "hlo/passes/inline_calls.hpp"
#include "hlo/support/error.hpp"
#include "neuron/collectives/lease_communicator.hpp"
#include "neuron/program_form.hpp"

#include <algorithm>
#include <exception>
#include <thread>

namespace ganglion::neuron {

namespace {

using arguments_of_rank = std::vector<hlo::literal>;

[[noreturn]] void fail(const std::string &message, const std::string &field) {
  throw error(error_code::invalid_argument, message, "arguments", field);
}

void check_shapes(const hlo::module &m,
                  const std::vector<arguments_of_rank> &arguments) {
  if (static_cast<std::int64_t>(arguments.size()) != m.num_partitions)
    fail("arguments for " + std::to_string(arguments.size()) +
             " partitions; the module has " + std::to_string(m.num_partitions),
         "num_partitions");
  const auto parameters = m.entry()->parameters();
  for (const auto &of_rank : arguments) {
    if (of_rank.size() != parameters.size())
      fail(std::to_string(of_rank.size()) + " given; the module takes " +
               std::to_string(parameters.size()),
           m.entry()->name());
    for (std::size_t i = 0; i < of_rank.size(); ++i)
      if (!compatible(of_rank[i].form(), parameters[i]->form))
        fail("expected " + to_string(parameters[i]->form, false) + ", got " +
                 to_string(of_rank[i].form(), false),
             parameters[i]->name);
  }
}

/// An operand of attention that holds numbers from 0 to below `limit`, which
/// the kernel, unlike the body, takes as they are.
struct index_operand {
  std::size_t operand;
  std::int64_t limit;
};

std::vector<index_operand> index_operands(const hlo::instruction &call) {
  const std::string &name = hlo::composite_name(call);
  if (name != "ganglion.paged_attention" &&
      name != "ganglion.paged_attention_part")
    return {};
  const hlo::shape &keys = call.operand(1)->form,
                   &tables = call.operand(5)->form;
  return {{4, tables.dim(0)},
          {5, keys.dim(0)},
          {6, tables.dim(1) * keys.dim(3) + 1}};
}

bool is_composite(const hlo::instruction &i) {
  return i.op == hlo::opcode::call && i.attrs.is_composite;
}

/// Whether somebody else than the module says what an index operand holds, so
/// that it can be checked before a run.
bool has_checked_indices(const hlo::instruction &call) {
  const auto indices = index_operands(call);
  return std::all_of(indices.begin(), indices.end(), [&](auto &index) {
    return call.operand(index.operand)->op == hlo::opcode::parameter;
  });
}

void check_range(const hlo::instruction &parameter, const hlo::literal &value,
                 std::int64_t limit) {
  for (std::int64_t i = 0; i < value.form().size(); ++i)
    if (value.integer(i) < 0 || value.integer(i) >= limit)
      fail("holds " + std::to_string(value.integer(i)) + "; accepted: 0 to " +
               std::to_string(limit - 1),
           parameter.name);
}

void check_indices(const hlo::module &m,
                   const std::vector<arguments_of_rank> &arguments) {
  for (const auto &i : m.entry()->instructions()) {
    if (!is_composite(*i))
      continue;
    for (const auto &index : index_operands(*i)) {
      const hlo::instruction &p = *i->operand(index.operand);
      for (const auto &of_rank : arguments)
        check_range(p,
                    of_rank[static_cast<std::size_t>(p.attrs.parameter_number)],
                    index.limit);
    }
  }
}

/// The longest operand of a collective, in elements.
std::size_t largest_collective(const hlo::module &m) {
  std::int64_t most = 0;
  for (const auto &i : m.entry()->instructions())
    if (is_collective(i->op))
      most = std::max({most, i->form.size(), i->operand(0)->form.size()});
  return static_cast<std::size_t>(most);
}

/// Rows that the live counts of a step bound: all there are.
struct live_rows {
  std::int64_t tokens = 0, logits = 0;
};

live_rows all_rows(const hlo::module &m) {
  live_rows out;
  for (const auto *p : m.entry()->parameters()) {
    const auto named = p->attrs.frontend.find("rows");
    if (named == p->attrs.frontend.end() || p->form.rank() == 0)
      continue;
    auto &count = named->second == "tokens" ? out.tokens : out.logits;
    count = std::max(count, p->form.dim(0));
  }
  return out;
}

/// The memory of one rank.
class rank_memory {
public:
  rank_memory(const program &code, const arguments_of_rank &arguments)
      : code_(code),
        arena_(code.memory_bytes(1)) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      memory_.emplace_back(code.parameters[i].bytes());
      to_program_form(arguments[i], code.parameters[i], memory_.back().data());
      frame_.parameters.push_back(memory_.back().data());
    }
    frame_.arena = arena_.data();
  }

  void run(const live_rows &live, communicator *group, int rank) {
    frame_.live_tokens = live.tokens;
    frame_.live_logits = live.logits;
    frame_.group = group;
    frame_.rank = rank;
    thread_team alone(1, {}, false);
    if (code_.run(frame_, alone) != collective_status::ok)
      throw error(error_code::unavailable, "another rank failed",
                  "rank " + std::to_string(rank));
  }

  std::vector<hlo::literal> outputs() const {
    std::vector<hlo::literal> out;
    for (std::size_t k = 0; k < code_.outputs.size(); ++k)
      out.push_back(from_program_form(code_, k, frame_.at(code_.outputs[k])));
    return out;
  }

private:
  const program &code_;
  std::vector<aligned_buffer> memory_;
  aligned_buffer arena_;
  run_frame frame_;
};

/// Runs every rank on a thread of its own; the first failure ends all.
void run_ranks(std::vector<rank_memory> &ranks, const live_rows &live,
               communicator *group) {
  std::vector<std::exception_ptr> failures(ranks.size());
  std::vector<std::thread> threads;
  for (std::size_t r = 0; r < ranks.size(); ++r)
    threads.emplace_back([&, r] {
      try {
        ranks[r].run(live, group, static_cast<int>(r));
      } catch (...) {
        failures[r] = std::current_exception();
        if (group)
          group->abort();
      }
    });
  for (auto &t : threads)
    t.join();
  for (const auto &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace

std::vector<std::vector<hlo::literal>>
run_module(const hlo::module &m,
           const std::vector<std::vector<hlo::literal>> &arguments,
           const compile_options &options) {
  check_shapes(m, arguments);
  std::shared_ptr<hlo::module> optimised = optimise(m, options);
  if (hlo::inline_calls(*optimised, [](const hlo::instruction &call) {
        return is_composite(call) && !has_checked_indices(call);
      }))
    optimised = optimise(*optimised, options);
  check_indices(*optimised, arguments);
  const auto code = lower(optimised, options);
  std::vector<rank_memory> ranks;
  for (const auto &of_rank : arguments)
    ranks.emplace_back(*code, of_rank);
  const steady_clock time;
  lease_communicator group(static_cast<int>(ranks.size()),
                           largest_collective(*optimised), {}, time);
  run_ranks(ranks, all_rows(m), ranks.size() > 1 ? &group : nullptr);
  std::vector<std::vector<hlo::literal>> out;
  for (const auto &rank : ranks)
    out.push_back(rank.outputs());
  return out;
}

} // namespace ganglion::neuron
