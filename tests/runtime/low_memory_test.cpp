// low_cpu_mem_usage: what is packed leaves the process's memory.
#include "runtime/checkpoint/synthetic.hpp"
#include "runtime/shard/loaded_model.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

using namespace ganglion;
using namespace ganglion::runtime;

namespace {

/// Bytes of mapped files in this process's memory.
std::int64_t resident_files() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "RssFile:") {
      std::int64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  return 0;
}

/// By how much they grow when all weights are packed.
std::int64_t growth(const std::string &model, bool low) {
  engine_config config;
  config.model.model_id = model;
  config.model.low_cpu_mem_usage = low;
  const auto before = resident_files();
  const auto m = load_model(config);
  const auto weights =
      rank_weights::load(*m->source, *m->steps,
                         hlo::placement(m->source->spec(), m->plan.sharding), 0,
                         m->tables, {}, m->loading);
  return resident_files() - before;
}

} // namespace

BOOST_AUTO_TEST_SUITE(low_memory)

BOOST_AUTO_TEST_CASE(packed_tensors_leave_memory_if_asked) {
  const testing::scratch_directory dir;
  synthetic_spec spec;
  spec.hidden = 512;
  spec.layers = 8;
  spec.heads = spec.kv_heads = 8;
  spec.ffn = 1408;
  spec.positions = 64;
  write_synthetic_checkpoint(dir.path(), spec); // about 100 MB
  constexpr std::int64_t half = std::int64_t{50} << 20;
  BOOST_TEST(growth(dir.path(), false) > half);
  BOOST_TEST(growth(dir.path(), true) < half / 4);
}

BOOST_AUTO_TEST_SUITE_END()
