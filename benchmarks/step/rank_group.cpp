#include "benchmarks/step/rank_group.hpp"

#include "benchmarks/machine/allocations.hpp"
#include "hlo/support/error.hpp"
#include "neuron/collectives/lease_communicator.hpp"

#include <algorithm>
#include <exception>

#include <sched.h>

namespace ganglion::benchmarks {

namespace {

/// Keeps the calling thread on a CPU until the end of the scope; -1: anywhere.
class pinned_scope {
public:
  explicit pinned_scope(int cpu) {
    sched_getaffinity(0, sizeof before_, &before_);
    if (cpu >= 0)
      neuron::pin_to(cpu);
  }
  ~pinned_scope() { sched_setaffinity(0, sizeof before_, &before_); }
  pinned_scope(const pinned_scope &) = delete;
  pinned_scope &operator=(const pinned_scope &) = delete;

private:
  cpu_set_t before_;
};

double nanoseconds() {
  return static_cast<double>(steady_clock().now().time_since_epoch() /
                             std::chrono::nanoseconds(1));
}

/// As the collectives actor waits.
neuron::wait_policy waits(bool exclusive) {
  neuron::wait_policy policy;
  policy.spins = exclusive ? 2000 : 0;
  return policy;
}

int first_cpu(const runtime::thread_plan &plan, std::size_t rank) {
  const auto cpus = plan.cpus_of(static_cast<std::int64_t>(rank));
  return cpus.empty() ? -1 : cpus[0];
}

} // namespace

rank_group::rank_group(std::shared_ptr<const runtime::loaded_model> model,
                       std::int64_t threads)
    : model_(std::move(model)),
      threads_(runtime::plan_threads(model_->plan.tp_degree(), threads,
                                     neuron::allowed_cpus())) {
  const auto ranks = static_cast<std::size_t>(model_->plan.tp_degree());
  if (ranks > 1)
    group_ = std::make_shared<neuron::lease_communicator>(
        static_cast<int>(ranks),
        static_cast<std::size_t>(model_->plan.chunk *
                                 model_->source->spec().hidden),
        waits(threads_.exclusive), time_);
  std::vector<int> cpus;
  for (std::size_t r = 0; threads_.exclusive && r < ranks; ++r)
    cpus.push_back(first_cpu(threads_, r));
  team_ = std::make_unique<neuron::thread_team>(static_cast<int>(ranks), cpus,
                                                threads_.exclusive);
  ranks_.resize(ranks);
  std::vector<std::exception_ptr> failures(ranks);
  const pinned_scope pinned(first_cpu(threads_, 0));
  team_->run([&](int member) {
    const auto rank = static_cast<std::size_t>(member);
    try {
      load_rank(rank);
    } catch (...) {
      failures[rank] = std::current_exception();
    }
  });
  for (const auto &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

rank_group::~rank_group() = default;

void rank_group::load_rank(std::size_t rank) {
  runtime::shard_options options;
  options.rank = static_cast<std::int64_t>(rank);
  options.threads = threads_.threads_per_rank;
  options.cpus = threads_.cpus_of(options.rank);
  options.spin = threads_.exclusive;
  ranks_[rank] = std::make_unique<runtime::shard>(
      *model_, model_->draft, options, runtime::load_progress{});
  ranks_[rank]->join(group_);
}

step_time rank_group::step(const runtime::step_plan &plan) {
  std::vector<runtime::step_result> results(ranks_.size());
  double start = 0, end = 0;
  std::uint64_t before = 0, after = 0;
  const pinned_scope pinned(first_cpu(threads_, 0));
  team_->run([&](int member) {
    const auto rank = static_cast<std::size_t>(member);
    if (member == 0) {
      before = allocations();
      start = nanoseconds();
    }
    team_->barrier();
    results[rank] = ranks_[rank]->step(plan);
    team_->barrier();
    if (member == 0) {
      end = nanoseconds();
      after = allocations();
    }
  });
  step_time out{end - start, 0, 0, after - before};
  for (const auto &r : results) {
    if (r.status != neuron::collective_status::ok)
      throw error(error_code::internal, to_string(r.status), "step");
    out.program = std::max(out.program, static_cast<double>(r.nanoseconds));
    out.collectives = std::max(out.collectives,
                               static_cast<double>(r.collective_nanoseconds));
  }
  return out;
}

int rank_group::threads() const {
  return threads_.threads_per_rank * static_cast<int>(ranks_.size());
}

std::string rank_group::describe() const {
  return threads_.describe(model_->plan.tp_degree());
}

} // namespace ganglion::benchmarks
