#include "hlo/builder.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "neuron/compiler/memory_plan.hpp"
#include "tests/neuron/random_module.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace ganglion;
using namespace ganglion::neuron;
using hlo::value;
using place = buffer_ref::place;

namespace {

hlo::shape floats(hlo::dims d) {
  return hlo::array_shape(hlo::element_type::f32, std::move(d));
}

/// Both arrays are alive at once and share bytes of the arena.
bool overlap(buffer_ref a, std::size_t a_bytes, buffer_ref b,
             std::size_t b_bytes) {
  return a.where == b.where && a.where == place::arena &&
         a.index < b.index + b_bytes && b.index < a.index + a_bytes;
}

/// A chain x + 1 + 1 ... of `length` sums over n floats.
std::size_t arena_of_chain(int length, std::int64_t n) {
  hlo::module m("chain");
  hlo::builder b(m, "main");
  value x = b.parameter(0, floats({n}), "x");
  for (int i = 0; i < length; ++i)
    x = b.add(x, x);
  m.set_entry(b.build(x));
  return memory_plan(m).arena_bytes();
}

} // namespace

BOOST_AUTO_TEST_SUITE(memory_plan)

BOOST_AUTO_TEST_CASE(dead_memory_is_used_again) {
  BOOST_TEST(arena_of_chain(1, 16) == 64u);
  BOOST_TEST(arena_of_chain(2, 16) == 128u);
  BOOST_TEST(arena_of_chain(100, 16) == 128u);
  BOOST_TEST(arena_of_chain(100, 17) == 256u); // whole cache lines
}

BOOST_AUTO_TEST_CASE(parameters_and_constants_stay_out_of_the_arena) {
  hlo::module m("m");
  hlo::builder b(m, "main");
  const value x = b.parameter(0, floats({4}), "x");
  const value one = b.constant(
      hlo::literal::from_floats({4}, std::vector<float>{1, 2, 3, 4}));
  const value same = b.reshape(x, {2, 2});
  m.set_entry(b.build(b.tuple(std::array{x, one, same})));
  neuron::memory_plan plan(m);
  BOOST_TEST(plan.arena_bytes() == 0u);
  BOOST_TEST((plan.at(x) == buffer_ref{place::parameter, 0}));
  BOOST_TEST((plan.at(same) == plan.at(x)));
  BOOST_TEST((plan.at(one).where == place::constant));
  const auto constants = plan.take_constants();
  BOOST_TEST(hlo::read_real(hlo::element_type::f32,
                            constants.data() + plan.at(one).index, 2) == 3.0);
}

BOOST_AUTO_TEST_CASE(tuples_have_a_place_per_array_at_any_depth) {
  hlo::module m("m");
  hlo::builder b(m, "main");
  const value x = b.parameter(0, floats({4}), "x");
  const value y = b.add(x, x), z = b.add(y, x);
  const value inner = b.tuple(std::array{y, z});
  const value outer = b.tuple(std::array{x, inner, y});
  const value back = b.get_tuple_element(b.get_tuple_element(outer, 1), 1);
  m.set_entry(b.build(b.tuple(std::array{outer, back})));
  const neuron::memory_plan plan(m);
  BOOST_TEST(plan.all(outer).size() == 4u);
  BOOST_TEST((plan.at(back) == plan.at(z)));
  BOOST_TEST(plan.all(m.entry()->root()).size() == 5u);
}

BOOST_AUTO_TEST_CASE(caches_are_written_in_place_only_when_nobody_minds) {
  for (const bool home : {false, true})
    for (const bool read_later : {false, true}) {
      hlo::module m("m");
      hlo::builder b(m, "main");
      const value rows = b.parameter(0, floats({2, 1, 4}), "rows");
      const value slots = b.parameter(
          1, hlo::array_shape(hlo::element_type::s32, {2}), "slots");
      const value cache = b.parameter(2, floats({1, 1, 4, 16}), "cache");
      const value fresh = write_keys(b, rows, slots, cache);
      const value again = write_keys(b, rows, slots, fresh);
      const value old = b.unary(hlo::opcode::negate, read_later ? cache : rows);
      m.set_entry(b.build(b.tuple(std::array{again, old})));
      if (home)
        m.aliases.push_back({0, 2, true});
      const neuron::memory_plan plan(m);
      BOOST_TEST((plan.at(fresh) == plan.at(cache)) == (home && !read_later));
      BOOST_TEST((plan.at(again) == plan.at(fresh)));
    }
}

BOOST_AUTO_TEST_CASE(no_two_living_values_overlap_in_random_modules) {
  for (unsigned seed = 1000; seed < 1060; ++seed) {
    const testing::random_module r(seed);
    const neuron::memory_plan plan(*r.graph);
    const auto &list = r.graph->entry()->instructions();
    std::map<const hlo::instruction *, std::size_t> number, last;
    for (std::size_t i = 0; i < list.size(); ++i) {
      number[list[i].get()] = last[list[i].get()] = i;
      for (const auto *o : list[i]->operands)
        last[o] = i;
    }
    std::int64_t wrong = 0;
    for (const auto &a : list)
      for (const auto &b : list) {
        if (number[b.get()] <= number[a.get()] ||
            number[b.get()] > last[a.get()] || a->form.tuple || b->form.tuple)
          continue;
        const auto x = plan.at(a.get()), y = plan.at(b.get());
        wrong += x != y && overlap(x, a->form.bytes(), y, b->form.bytes());
      }
    BOOST_TEST(wrong == 0, "seed " << seed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
