// The whole step graph of golden models: evaluated, and run as a program by
// all ranks.
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/collectives/lease_communicator.hpp"
#include "tests/neuron/step_case.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <thread>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::element_type;
using hlo::literal;

namespace {

/// The program of a step graph bound on every rank.
class program_group {
public:
  program_group(const step_case &c, const hlo::module &graph, neuron::isa set)
      : program_group(c, graph, neuron::compile_options{set}) {}
  program_group(const step_case &c, const hlo::module &graph,
                const neuron::compile_options &options)
      : group_(static_cast<int>(c.options.sharding.tp_degree), 1 << 14, {},
               time_) {
    const auto code = neuron::compile(graph, options);
    for (std::int64_t r = 0; r < c.options.sharding.tp_degree; ++r)
      ranks_.push_back(std::make_unique<bound_program>(
          code, c.arguments(mixed_steps()[0], r)));
  }

  void run(const step_case &c, const std::vector<step_row> &rows) {
    std::vector<std::thread> threads;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      threads.emplace_back([&, r] {
        const auto inputs = c.inputs(rows, static_cast<std::int64_t>(r));
        for (std::size_t i = 0; i < inputs.size(); ++i)
          ranks_[r]->set(i, inputs[i]);
        run_settings s;
        s.threads = 2;
        s.live_tokens = inputs[hlo::live_rows].integer(0);
        s.live_logits = inputs[hlo::live_rows].integer(1);
        s.rank = static_cast<int>(r);
        s.group = ranks_.size() > 1 ? &group_ : nullptr;
        if (ranks_[r]->run(s) != neuron::collective_status::ok)
          failed_ = true;
      });
    for (auto &t : threads)
      t.join();
    BOOST_TEST(!failed_);
  }

  const bound_program &rank(std::size_t r) const { return *ranks_[r]; }

private:
  steady_clock time_;
  neuron::lease_communicator group_;
  std::vector<std::unique_ptr<bound_program>> ranks_;
  std::atomic<bool> failed_{false};
};

double largest(const literal &l, std::int64_t count) {
  double most = 0;
  for (std::int64_t i = 0; i < count; ++i)
    most = std::max(most, std::abs(l.real(i)));
  return most;
}

/// Largest difference of the first `count` elements, relative to the largest
/// element.
double difference(const literal &got, const literal &want, std::int64_t count) {
  double most = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double d = std::abs(got.real(i) - want.real(i));
    most = std::isnan(d) ? INFINITY : std::max(most, d);
  }
  return most / std::max(largest(want, count), 1e-30);
}

/// Runs the steps through both and compares logits of live rows and caches.
void check(const std::string &model, element_type type,
           const hlo::sharding_options &sharding, double tolerance,
           const hlo::graph_form &form = {},
           hlo::quantisation quantize = hlo::quantisation::none,
           hlo::cache_quantisation cache = hlo::cache_quantisation::none) {
  const step_case c(model, type, sharding, form, quantize, cache);
  const auto tp_degree = c.options.sharding.tp_degree;
  std::vector<std::vector<literal>> arguments;
  for (std::int64_t r = 0; r < tp_degree; ++r)
    arguments.push_back(c.arguments(mixed_steps()[0], r));
  std::vector<std::unique_ptr<program_group>> programs;
  for (const neuron::isa set : neuron::available_isas())
    programs.push_back(std::make_unique<program_group>(c, *c.step.graph, set));
  double most = 0;
  for (const auto &rows : mixed_steps()) {
    for (std::size_t r = 0; r < arguments.size(); ++r) {
      auto inputs = c.inputs(rows, static_cast<std::int64_t>(r));
      std::move(inputs.begin(), inputs.end(), arguments[r].begin());
    }
    auto want = hlo::evaluate_partitions(*c.step.graph, arguments);
    const auto live = arguments[0][hlo::live_rows].integer(1);
    for (auto &program : programs) {
      program->run(c, rows);
      for (std::size_t r = 0; r < want.size(); ++r) {
        const auto got = program->rank(r).outputs();
        const auto &outputs = want[r].elements();
        most = std::max(most, difference(got[0], outputs[0],
                                         live * outputs[0].form().dim(1)));
        for (std::size_t k = 1; k < outputs.size(); ++k)
          most = std::max(
              most, difference(got[k], outputs[k], outputs[k].form().size()));
      }
    }
    for (std::size_t r = 0; r < want.size(); ++r)
      for (std::size_t k = 0; k < c.step.cache_parameters.size(); ++k)
        arguments[r][static_cast<std::size_t>(c.step.cache_parameters[k])] =
            std::move(want[r].elements()[k + 1]);
  }
  BOOST_TEST_MESSAGE(model << " " << to_string(type) << " tp_degree "
                           << tp_degree << ": largest relative difference "
                           << most);
  BOOST_TEST(most <= tolerance);
}

/// Each option of a graph's form on its own, away from its default.
std::vector<hlo::graph_form> forms() {
  std::vector<hlo::graph_form> out(11);
  out[0].attention_layout = hlo::hidden_layout::bsh;
  out[1].collectives_layout = hlo::hidden_layout::bsh;
  out[2].all_reduce_type = element_type::bf16;
  out[3].logits_type = element_type::f16;
  out[4].saturate_infinity = true;
  out[5].sequence_parallel_threshold = 4; // of 8 rows
  out[6].fuse_qkv = true;
  out[7].on_device_embedding = false;
  out[8].cache_layout = hlo::kv_layout::bsh;
  out[9].weight_tiling = true;
  out[10].fuse_qkv = out[10].qkv_tiling = true;
  return out;
}

const auto models = boost::unit_test::data::make(std::vector<std::string>{
    "llama", "llama3", "mistral", "mixtral", "qwen3", "gpt2", "gptj",
    "gpt_bigcode", "opt-post-norm", "bloom-12-heads"});
const auto degrees = boost::unit_test::data::make({1, 2});

} // namespace

BOOST_AUTO_TEST_SUITE(step_graph)

BOOST_DATA_TEST_CASE(program_equals_evaluator_in_f32, models *degrees, model,
                     tp_degree) {
  check(model, element_type::f32, {tp_degree}, 1e-5);
}

// Two ulp of a rounded activation may differ anywhere on the way.
BOOST_DATA_TEST_CASE(program_equals_evaluator_in_half_types, models *degrees,
                     model, tp_degree) {
  check(model, element_type::bf16, {tp_degree}, 2e-2);
  check(model, element_type::f16, {tp_degree}, 2e-3);
}

BOOST_AUTO_TEST_CASE(program_equals_evaluator_with_every_strategy) {
  using enum hlo::group_query;
  for (const std::string model : {"llama", "qwen3"})
    for (const hlo::sharding_options &s :
         {hlo::sharding_options{2, replicated_heads},
          {4, shard_over_batch},
          {4, all_gather_heads},
          {4, automatic, true},
          {3, automatic, false, true}}) {
      check(model, element_type::f32, s, 1e-5);
      check(model, element_type::bf16, s, 2e-2);
      check(model, element_type::bf16, s, 2e-2, {},
            hlo::quantisation::static_int8, hlo::cache_quantisation::s8);
    }
}

BOOST_DATA_TEST_CASE(whole_experts_equal_the_evaluator,
                     boost::unit_test::data::make({1, 2, 4}), tp_degree) {
  check("mixtral", element_type::f32, whole_experts(tp_degree), 1e-5);
  check("mixtral", element_type::bf16, whole_experts(tp_degree), 2e-2);
  check("mixtral", element_type::bf16, whole_experts(tp_degree), 2e-2, {},
        hlo::quantisation::static_int8);
}

BOOST_DATA_TEST_CASE(program_equals_evaluator_with_int8_weights,
                     models *degrees, model, tp_degree) {
  check(model, element_type::f32, {tp_degree}, 1e-5, {},
        hlo::quantisation::static_int8);
  check(model, element_type::bf16, {tp_degree}, 2e-2, {},
        hlo::quantisation::static_int8);
}

// So may an activation, of which every step has many.
BOOST_DATA_TEST_CASE(program_equals_evaluator_with_int8_products,
                     models *degrees, model, tp_degree) {
  for (const auto type : {element_type::f32, element_type::bf16})
    check(model, type, {tp_degree}, 3e-2, {}, hlo::quantisation::int8_dynamic);
}

// A key that lies between two steps may fall to either: 1 of 127.
BOOST_DATA_TEST_CASE(program_equals_evaluator_with_int8_caches, models *degrees,
                     model, tp_degree) {
  for (const auto type : {element_type::f32, element_type::bf16})
    check(model, type, {tp_degree}, 2e-2, {}, hlo::quantisation::none,
          hlo::cache_quantisation::s8);
}

BOOST_DATA_TEST_CASE(program_equals_evaluator_in_every_form,
                     boost::unit_test::data::make({"llama", "opt-post-norm",
                                                   "bloom", "gptj"}),
                     model) {
  for (const hlo::graph_form &form : forms()) {
    // A rounding on the way may fall to either side.
    const bool rounds = form.all_reduce_type != element_type::f32 ||
                        form.logits_type != element_type::f32;
    check(model, element_type::f32, {2}, rounds ? 2e-3 : 1e-5, form);
    check(model, element_type::f16, {4}, 4e-3, form);
  }
}

BOOST_AUTO_TEST_CASE(fused_products_of_every_strategy_and_type) {
  using enum hlo::group_query;
  hlo::graph_form form;
  form.fuse_qkv = true;
  form.on_device_embedding = false;
  form.qkv_tiling = form.weight_tiling = true;
  form.cache_layout = hlo::kv_layout::bsh;
  for (const std::string model : {"llama", "qwen3", "mixtral"})
    for (const hlo::sharding_options &s : {hlo::sharding_options{1},
                                           {4, shard_over_batch},
                                           {4, all_gather_heads},
                                           {3, automatic, false, true}}) {
      check(model, element_type::f32, s, 1e-5, form);
      check(model, element_type::bf16, s, 2e-2, form,
            hlo::quantisation::static_int8);
    }
}

// Tiles and layouts are in the parameters; the calls are those without.
BOOST_AUTO_TEST_CASE(tiles_and_layouts_change_parameters_and_no_call) {
  const auto lines = [](const step_case &c) {
    const auto code =
        neuron::compile(*c.step.graph, {neuron::available_isas().back()});
    std::string out;
    for (const auto &call : code->calls)
      out += call.kernel + " " + call.shape + "\n";
    return out;
  };
  const auto shape_of = [](const step_case &c, const std::string &name) {
    for (const auto *p : c.step.graph->entry()->parameters())
      if (p->name == name)
        return hlo::to_string(p->form, false);
    return std::string("no such parameter");
  };
  const std::string up = "layers.0.mlp.up.weight",
                    qkv = "layers.0.attention.qkv.weight";
  const step_case plain("llama", element_type::bf16, 2);
  BOOST_TEST_MESSAGE(shape_of(plain, up));
  hlo::graph_form form;
  form.weight_tiling = true;
  form.cache_layout = hlo::kv_layout::bsh;
  const step_case tiled("llama", element_type::bf16, {2}, form);
  BOOST_TEST(lines(tiled) == lines(plain));
  BOOST_TEST(shape_of(plain, up) != shape_of(tiled, up));
  BOOST_TEST(shape_of(tiled, up).find("bf16[128,") == 0u);
  BOOST_TEST(shape_of(plain, "key_cache.0").find("bf16[16,9,") == 0u);
  BOOST_TEST(shape_of(tiled, "key_cache.0").find("bf16[9,16,") == 0u);
  form.weight_tiling = false;
  form.fuse_qkv = true;
  const step_case fused("llama", element_type::bf16, {2}, form);
  form.qkv_tiling = true;
  const step_case both("llama", element_type::bf16, {2}, form);
  BOOST_TEST(lines(both) == lines(fused));
  BOOST_TEST(shape_of(both, qkv).find(",128,") != std::string::npos);
}

// Forms that only say where values lie change no bit.
BOOST_AUTO_TEST_CASE(layouts_and_shared_rows_change_no_bit) {
  const auto set = neuron::available_isas().back();
  for (const auto type : {element_type::f32, element_type::bf16}) {
    const step_case plain("llama", type, {4});
    program_group want(plain, *plain.step.graph, set);
    want.run(plain, mixed_steps()[0]);
    for (const hlo::graph_form &form : forms()) {
      if (form.all_reduce_type != element_type::f32 ||
          form.logits_type != element_type::f32)
        continue;
      const step_case c("llama", type, {4}, form);
      const bool rounds = type != element_type::f32;
      if (rounds || !form.saturate_infinity)
        BOOST_TEST(
            (hlo::print(*c.step.graph) != hlo::print(*plain.step.graph)));
      program_group got(c, *c.step.graph, set);
      got.run(c, mixed_steps()[0]);
      const literal a = want.rank(1).output(0), b = got.rank(1).output(0);
      for (std::int64_t i = 0; i < a.form().dim(1); ++i)
        BOOST_REQUIRE(a.real(i) == b.real(i));
    }
  }
}

// Levels 1 and 3 against 2: other calls, the same bits.
BOOST_DATA_TEST_CASE(optimisation_levels_change_no_bit, models *degrees, model,
                     tp_degree) {
  using enum neuron::optimize_level;
  const auto set = neuron::available_isas().back();
  for (const auto type : {element_type::f32, element_type::bf16}) {
    const step_case c(model, type, tp_degree);
    program_group plain(c, *c.step.graph, set);
    program_group as_built_(c, *c.step.graph, {.set = set, .level = as_built});
    program_group ordered_(c, *c.step.graph, {.set = set, .level = ordered});
    for (const auto &rows : mixed_steps()) {
      plain.run(c, rows);
      const auto want = plain.rank(0).outputs();
      const auto live =
          c.inputs(rows, 0)[hlo::live_rows].integer(1) * want[0].form().dim(1);
      for (program_group *other : {&as_built_, &ordered_}) {
        other->run(c, rows);
        const auto got = other->rank(0).outputs();
        for (std::int64_t i = 0; i < live; ++i)
          BOOST_REQUIRE(got[0].real(i) == want[0].real(i));
        for (std::size_t k = 1; k < want.size(); ++k)
          BOOST_TEST(same_bits(got[k], want[k]));
      }
    }
  }
}

BOOST_DATA_TEST_CASE(higher_levels_make_programs_shorter, models, model) {
  using enum neuron::optimize_level;
  const step_case c(model, element_type::f32, 1);
  const auto compile = [&](neuron::optimize_level level) {
    return neuron::compile(
        *c.step.graph,
        {.set = neuron::available_isas().back(), .level = level});
  };
  const auto first = compile(as_built), second = compile(simplified),
             third = compile(ordered);
  BOOST_TEST_MESSAGE(model << ": calls " << first->calls.size() << " "
                           << second->calls.size() << " " << third->calls.size()
                           << ", meetings " << first->meetings() << " "
                           << second->meetings() << " " << third->meetings()
                           << ", arena " << first->arena_bytes << " "
                           << second->arena_bytes << " " << third->arena_bytes);
  BOOST_TEST(first->calls.size() > second->calls.size());
  BOOST_TEST(first->print().find("transpose") != std::string::npos);
  BOOST_TEST(third->calls.size() == second->calls.size());
  BOOST_TEST(third->meetings() <= second->meetings());
}

// The host needs no transposes, however the graph is written.
BOOST_AUTO_TEST_CASE(transposes_leave_the_program) {
  for (const std::int64_t degree : {1, 2}) {
    const step_case c("llama", element_type::f32, degree);
    BOOST_TEST(hlo::print(*c.step.graph).find(" transpose(") !=
               std::string::npos);
    const auto code =
        neuron::compile(*c.step.graph, {neuron::available_isas().back()});
    BOOST_TEST(code->print().find("transpose") == std::string::npos);
  }
}

BOOST_DATA_TEST_CASE(text_reads_back_as_the_same_program, models *degrees,
                     model, tp_degree) {
  const step_case c(model, element_type::bf16, tp_degree);
  const std::string text = hlo::print(*c.step.graph);
  const auto again = hlo::parse(text, model);
  BOOST_TEST(hlo::print(*again) == text);
  const auto set = neuron::available_isas().back();
  program_group built(c, *c.step.graph, set), read(c, *again, set);
  for (const auto &rows : mixed_steps()) {
    built.run(c, rows);
    read.run(c, rows);
    const auto a = built.rank(0).outputs(), b = read.rank(0).outputs();
    for (std::size_t k = 0; k < a.size(); ++k)
      BOOST_TEST(same_bits(a[k], b[k]));
  }
}

BOOST_DATA_TEST_CASE(ranks_end_with_the_same_logits, models, model) {
  const step_case c(model, element_type::f32, 2);
  program_group p(c, *c.step.graph, neuron::available_isas().back());
  p.run(c, mixed_steps()[0]);
  const literal a = p.rank(0).output(0), b = p.rank(1).output(0);
  const auto vocabulary = a.form().dim(1); // of the one live row
  BOOST_TEST(largest(a, vocabulary) > 0);
  for (std::int64_t i = 0; i < vocabulary; ++i)
    BOOST_TEST(a.real(i) == b.real(i));
}

BOOST_AUTO_TEST_SUITE_END()
