// Where the members of a team must meet, and that meeting seldom changes no
// bit.
#include "neuron/compiler/sharing.hpp"
#include "tests/neuron/step_case.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;
using neuron::buffer_ref;
using neuron::memory_use;
using neuron::row_mode;
using neuron::share_map;

namespace {

constexpr buffer_ref place{buffer_ref::place::arena, 64};

memory_use write(share_map by, buffer_ref where = place) {
  return {where, 256, true, by};
}
memory_use read(share_map by, buffer_ref where = place) {
  return {where, 256, false, by};
}

std::int64_t meetings(const neuron::program &p, row_mode mode, int members) {
  return std::count_if(p.calls.begin(), p.calls.end(), [&](const auto &call) {
    return call.meets.has(mode, members);
  });
}

/// Outputs of all steps, run by `threads` members.
std::vector<hlo::literal> run(const step_case &c,
                              std::int64_t repeated_elements, int threads,
                              neuron::isa set) {
  neuron::compile_options options{set};
  options.repeated_elements = repeated_elements;
  const auto code = neuron::compile(*c.step.graph, options);
  BOOST_TEST((code->repeated_rows > 0) == (repeated_elements > 0));
  bound_program p(code, c.arguments(mixed_steps()[0], 0));
  std::vector<hlo::literal> out;
  for (const auto &rows : mixed_steps()) {
    const auto inputs = c.inputs(rows);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      p.set(i, inputs[i]);
    run_settings s;
    s.threads = threads;
    s.live_tokens = inputs[hlo::live_rows].integer(0);
    s.live_logits = inputs[hlo::live_rows].integer(1);
    p.run(s);
    for (auto &output : p.outputs())
      out.push_back(std::move(output));
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(schedule)

BOOST_AUTO_TEST_CASE(reads_never_clash) {
  BOOST_TEST(!neuron::clash(read({}), read({}), 2));
  BOOST_TEST(neuron::clash(write({}), read({}), 2));
  BOOST_TEST(neuron::clash(read({}), write({}), 2));
}

BOOST_AUTO_TEST_CASE(other_memory_does_not_clash) {
  const buffer_ref next{buffer_ref::place::arena, 64 + 256};
  const buffer_ref inside{buffer_ref::place::arena, 128};
  const buffer_ref parameter{buffer_ref::place::parameter, 64};
  BOOST_TEST(!neuron::clash(write({}), read({}, next), 2));
  BOOST_TEST(!neuron::clash(write({}), read({}, parameter), 2));
  const auto columns = share_map::by_columns(4, 16, 64);
  BOOST_TEST(neuron::clash(write(columns), read(columns, inside), 2));
}

BOOST_AUTO_TEST_CASE(columns_agree_where_their_edges_do) {
  const auto panels = share_map::by_columns(6, 256, 6 * 256);
  const auto heads = share_map::by_heads(2, 3 * 256);
  BOOST_TEST(!neuron::clash(write(panels), read(heads), 2));
  // Three members do not divide two heads.
  BOOST_TEST(neuron::clash(write(panels), read(heads), 3));
  // 4.5 panels: the middle of the row is within one.
  const auto odd = share_map::by_columns(5, 256, 288 * 4);
  const auto six = share_map::by_heads(6, 48 * 4);
  BOOST_TEST(neuron::clash(write(odd), read(six), 2));
  BOOST_TEST(neuron::clash(write(panels), read({}), 2));
}

BOOST_AUTO_TEST_CASE(rows_agree_with_the_same_rows) {
  using kind = share_map::kind;
  const share_map tokens{kind::rows, neuron::row_bound::tokens, 8};
  const share_map logits{kind::rows, neuron::row_bound::logits, 8};
  BOOST_TEST(!neuron::clash(write(tokens), read(tokens), 2));
  BOOST_TEST(neuron::clash(write(tokens), read(logits), 2));
  const share_map first{kind::first};
  BOOST_TEST(!neuron::clash(write(first), read(first), 2));
  BOOST_TEST(neuron::clash(write(first), read(tokens), 2));
}

BOOST_AUTO_TEST_CASE(a_layer_has_few_meetings) {
  const step_case c("llama", hlo::element_type::f32, 1);
  const auto code =
      neuron::compile(*c.step.graph, {neuron::available_isas().back()});
  const auto layers = c.source->spec().layers;
  // Before and after attention, after its output, the gated pair and the last
  // product; and the head.
  BOOST_TEST(meetings(*code, row_mode::repeated, 2) <= 6 * layers + 2);
  BOOST_TEST(meetings(*code, row_mode::shared, 2) <= 8 * layers + 5);
  BOOST_TEST(meetings(*code, row_mode::shared, 17) ==
             static_cast<std::int64_t>(code->calls.size()));
}

BOOST_DATA_TEST_CASE(repeating_rows_changes_no_bit,
                     boost::unit_test::data::make(std::vector<std::string>{
                         "llama", "llama3", "mistral", "qwen3", "gpt2",
                         "opt-post-norm"}),
                     model) {
  const step_case c(model, hlo::element_type::bf16, 1);
  for (const neuron::isa set : neuron::available_isas()) {
    const auto want = run(c, 0, 1, set);
    for (const std::int64_t elements : {0, 8192})
      for (const int threads : {2, 3, 4}) {
        const auto got = run(c, elements, threads, set);
        BOOST_REQUIRE(got.size() == want.size());
        for (std::size_t i = 0; i < got.size(); ++i)
          BOOST_TEST(same_bits(got[i], want[i]));
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
