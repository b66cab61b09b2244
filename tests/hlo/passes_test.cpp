#include "hlo/decoder/step_graph.hpp"
#include "hlo/passes/common_subexpression_elimination.hpp"
#include "hlo/passes/constant_folding.hpp"
#include "hlo/passes/dead_code_elimination.hpp"
#include "hlo/passes/inline_calls.hpp"
#include "hlo/passes/inline_composites.hpp"
#include "hlo/passes/pass_pipeline.hpp"
#include "hlo/verifier.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <chrono>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

/// Runs `action` on the case `name` and compares with the text expected.
void check_case(const std::string &name, const pass &action) {
  const auto m = parse(read_case("passes/" + name + ".hlo"), name);
  BOOST_TEST(action(*m));
  verify(*m);
  BOOST_TEST(print(*m) == read_case("passes/" + name + ".expected"));
  BOOST_TEST(!action(*m));
}

std::size_t count(const module &m, opcode op) {
  std::size_t found = 0;
  for (const auto &c : m.computations())
    for (const auto &i : c->instructions())
      found += i->op == op;
  return found;
}

std::unique_ptr<module> decoder_graph(std::int64_t layers) {
  decoder_spec spec;
  spec.layers = layers;
  spec.hidden = 64;
  spec.heads = 8;
  spec.kv_heads = 4;
  spec.head_dim = 8;
  spec.mlp = 172;
  spec.vocabulary = 512;
  spec.n_positions = 128;
  spec.rotary.frequencies = {1.0f, 0.1f, 0.01f, 0.001f};
  graph_options options;
  options.sharding = plain_sharding(spec, 2);
  options.blocks = 16;
  options.max_blocks = 4;
  return std::move(build_step_graph(spec, options).graph);
}

} // namespace

BOOST_AUTO_TEST_SUITE(passes)

BOOST_AUTO_TEST_CASE(inlines_composites_but_those_kept) {
  check_case("inline_composites",
             [](module &m) { return inline_composites(m, {"ganglion.kept"}); });
}

BOOST_AUTO_TEST_CASE(inlines_plain_calls_in_loops_too) {
  check_case("inline_plain_calls", inline_plain_calls);
}

BOOST_AUTO_TEST_CASE(drops_dead_code_but_nothing_that_communicates) {
  check_case("dead_code_elimination", dead_code_elimination);
}

BOOST_AUTO_TEST_CASE(merges_equals_but_nothing_that_communicates) {
  check_case("common_subexpression_elimination",
             common_subexpression_elimination);
}

BOOST_AUTO_TEST_CASE(folds_what_is_exact) {
  check_case("constant_folding", [](module &m) {
    const bool changed = constant_folding(m);
    dead_code_elimination(m);
    return changed;
  });
}

BOOST_AUTO_TEST_CASE(refuses_to_grow_without_bound) {
  std::string text = "HloModule m\nc0 { x = f32[] parameter(0)\n ROOT y = "
                     "f32[] negate(x) }\n";
  for (int i = 1; i < 40; ++i) {
    const std::string callee = "c" + std::to_string(i - 1);
    text +=
        "c" + std::to_string(i) +
        " { x = f32[] parameter(0)\n a = f32[] call(x), to_apply=" + callee +
        "\n ROOT b = f32[] call(a), to_apply=" + callee + " }\n";
  }
  text += "ENTRY e { x = f32[] parameter(0)\n ROOT y = f32[] call(x), "
          "to_apply=c39 }\n";
  const auto m = parse(text, "doubling");
  BOOST_TEST(contains(refusal([&] { inline_plain_calls(*m); }),
                      "the graph grows too large"));
}

BOOST_AUTO_TEST_CASE(pipeline_runs_to_a_fixpoint_and_reports) {
  const auto m = parse(in_module("x = f32[2,3] parameter(0)\n"
                                 "a = f32[3,2] transpose(x), dimensions={1,0}\n"
                                 "b = f32[2,3] transpose(a), dimensions={1,0}\n"
                                 "c = f32[6] reshape(b)\n"
                                 "ROOT d = f32[2,3] reshape(c)"),
                       "case");
  std::vector<std::string> seen;
  BOOST_TEST(simplification_pipeline().run(
      *m,
      [&](std::string_view pass, const module &) { seen.emplace_back(pass); }));
  BOOST_TEST(m->entry()->instructions().size() == 1u);
  BOOST_TEST(seen.size() % 4 == 0u);
  BOOST_TEST(seen[0] == "constant_folding");
  BOOST_TEST(seen[3] == "dead_code_elimination");
}

BOOST_AUTO_TEST_CASE(pipeline_runs_single_passes_once) {
  const auto m = parse(in_module("ROOT x = f32[] parameter(0)"), "case");
  int runs = 0;
  pass_pipeline pipeline;
  pipeline.add("restless", [&](module &) { return ++runs > 0; });
  BOOST_TEST(pipeline.run(*m));
  BOOST_TEST(runs == 1);
  pipeline.add_fixpoint({{"settles", [&](module &) { return ++runs < 5; }}});
  BOOST_TEST(pipeline.run(*m));
  BOOST_TEST(runs == 5);
}

#ifndef NDEBUG
BOOST_AUTO_TEST_CASE(pipeline_blames_the_pass_that_breaks_a_module) {
  const auto m = parse(in_module("ROOT x = f32[] parameter(0)"), "case");
  pass_pipeline pipeline;
  pipeline.add("vandal", [](module &broken) {
    broken.entry()->root()->name = "no name";
    return true;
  });
  BOOST_TEST(contains(refusal([&] { pipeline.run(*m); }), "after pass vandal"));
}
#endif

BOOST_AUTO_TEST_CASE(keep_every_collective_of_a_decoder) {
  const auto m = decoder_graph(3);
  const auto reductions = count(*m, opcode::all_reduce);
  const auto gathers = count(*m, opcode::all_gather);
  BOOST_TEST(reductions + gathers > 0u);
  inline_composites(*m);
  simplification_pipeline().run(*m);
  verify(*m);
  BOOST_TEST(count(*m, opcode::all_reduce) == reductions);
  BOOST_TEST(count(*m, opcode::all_gather) == gathers);
  BOOST_TEST(m->aliases.size() == 6u);
}

BOOST_AUTO_TEST_CASE(are_quick_on_a_deep_decoder) {
  const auto m = decoder_graph(80);
  const auto start = std::chrono::steady_clock::now();
  inline_composites(*m);
  simplification_pipeline().run(*m);
  const std::chrono::duration<double> spent =
      std::chrono::steady_clock::now() - start;
  verify(*m);
  BOOST_TEST_MESSAGE("80 layers, " << m->entry()->instructions().size()
                                   << " instructions left, "
                                   << spent.count() * 1e3 << " ms");
  BOOST_TEST(spent.count() < 5.0);
}

BOOST_AUTO_TEST_SUITE_END()
