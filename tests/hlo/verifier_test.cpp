#include "hlo/verifier.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

/// Breaks a good module and says what the verifier found.
template <class F>
std::string broken(const std::string &name, F damage) {
  const auto m = parse(read_case(name), name);
  verify(*m);
  damage(*m);
  return refusal([&] { verify(*m); });
}

instruction *find(module &m, const std::string &name) {
  for (const auto &i : m.entry()->instructions())
    if (i->name == name)
      return i.get();
  throw error(error_code::not_found, "no such instruction", name);
}

} // namespace

#define CHECK_FOUND(message, part)                                             \
  do {                                                                         \
    const std::string found = message;                                         \
    BOOST_TEST(contains(found, part), found);                                  \
  } while (false)

BOOST_AUTO_TEST_SUITE(verifier)

BOOST_AUTO_TEST_CASE(finds_broken_names_and_order) {
  CHECK_FOUND(broken("elementwise.hlo",
                     [](module &m) { find(m, "and.7")->name = "x"; }),
              "main/x: two instructions of this name");
  CHECK_FOUND(broken("elementwise.hlo",
                     [](module &m) { find(m, "and.7")->name = "a b"; }),
              "main/a b: the name is not an HLO name");
  CHECK_FOUND(broken("elementwise.hlo",
                     [](module &m) {
                       find(m, "exponential.2")->operands[0] =
                           find(m, "clamp.11");
                     }),
              "module elementwise: main/exponential.2: an operand does not "
              "come before it");
  CHECK_FOUND(broken("reduction.hlo",
                     [](module &m) {
                       find(m, "reduce.4")->operands[1] =
                           m.find_computation("add_f32")->root();
                     }),
              "main/reduce.4: an operand does not come before it");
}

BOOST_AUTO_TEST_CASE(finds_broken_shapes) {
  CHECK_FOUND(broken("elementwise.hlo",
                     [](module &m) {
                       find(m, "multiply.4")->form =
                           array_shape(element_type::f32, {3, 2});
                     }),
              "main/multiply.4: its shape is f32[3,2], but its operands give "
              "f32[2,3]");
  CHECK_FOUND(
      broken("constants.hlo",
             [](module &m) { find(m, "constant.1")->attrs.value.reset(); }),
      "main/constant.1: the constant has no value");
  CHECK_FOUND(broken("constants.hlo",
                     [](module &m) {
                       find(m, "constant.1")->form =
                           array_shape(element_type::pred, {4});
                     }),
              "main/constant.1: the value has another shape");
  CHECK_FOUND(broken("constants.hlo",
                     [](module &m) {
                       find(m, "constant.1")->form.minor_to_major = {3};
                     }),
              "its shape is not valid");
}

BOOST_AUTO_TEST_CASE(finds_broken_parameters_and_roots) {
  CHECK_FOUND(
      broken("indexing.hlo",
             [](module &m) { find(m, "updates")->attrs.parameter_number = 3; }),
      "main/updates: parameters are not numbered");
  CHECK_FOUND(
      broken("indexing.hlo",
             [](module &m) { find(m, "updates")->attrs.parameter_number = 1; }),
      "parameters are not numbered");
  CHECK_FOUND(broken("reduction.hlo",
                     [](module &m) {
                       m.entry()->set_root(
                           m.find_computation("add_f32")->root());
                     }),
              "main: the root is not in the computation");
  CHECK_FOUND(
      broken("reduction.hlo", [](module &m) { m.entry()->set_root(nullptr); }),
      "main: the computation has no root");
  CHECK_FOUND(broken("reduction.hlo", [](module &m) { m.set_entry(nullptr); }),
              "no entry");
}

BOOST_AUTO_TEST_CASE(finds_wrong_callees) {
  const auto retarget = [](const char *name, std::vector<const char *> to) {
    return [name, to](module &m) {
      auto &called = find(m, name)->attrs.called;
      called.clear();
      for (const char *callee : to)
        called.push_back(m.find_computation(callee));
    };
  };
  CHECK_FOUND(broken("reduction.hlo", retarget("reduce.4", {"larger_first"})),
              "computation 'larger_first' must be (f32[], f32[]) -> f32[]");
  CHECK_FOUND(broken("reduction.hlo", retarget("reduce.7", {"add_f32"})),
              "must be (f32[], s32[], f32[], s32[]) -> (f32[], s32[])");
  CHECK_FOUND(broken("reduction.hlo", retarget("sort.6", {"add_f32"})),
              "must be (f32[], f32[], s32[], s32[]) -> pred[]");
  CHECK_FOUND(
      broken("structure.hlo", retarget("while.4", {"double", "double"})),
      "must be ((s32[], f32[4])) -> pred[]");
  CHECK_FOUND(
      broken("structure.hlo", retarget("while.4", {"below_ten", "below_ten"})),
      "must be ((s32[], f32[4])) -> (s32[], f32[4])");
  CHECK_FOUND(
      broken("structure.hlo", retarget("conditional.7", {"same", "double"})),
      "must be (f32[4]) -> f32[4]");
  CHECK_FOUND(broken("structure.hlo", retarget("call.9", {"double"})),
              "main/call.9");
  CHECK_FOUND(broken("structure.hlo", retarget("call.9", {})),
              "a computation to call");
  CHECK_FOUND(broken("structure.hlo",
                     [](module &m) {
                       find(m, "count")->attrs.called = {
                           m.find_computation("same")};
                     }),
              "main/count: calls 1 computations instead of 0");
  CHECK_FOUND(broken("structure.hlo",
                     [](module &m) {
                       find(m, "conditional.8")->operands[0] = find(m, "flag");
                     }),
              "the selector must be s32[]");
  const auto other = parse(read_case("structure.hlo"), "other");
  CHECK_FOUND(broken("structure.hlo",
                     [&](module &m) {
                       find(m, "call.9")->attrs.called = {
                           other->find_computation("negated")};
                     }),
              "main/call.9: calls a computation of another module");
}

BOOST_AUTO_TEST_CASE(finds_recursion) {
  CHECK_FOUND(broken("structure.hlo",
                     [](module &m) {
                       computation *same = m.find_computation("same");
                       attributes attrs;
                       attrs.called = {same};
                       instruction *x = same->root();
                       same->append(opcode::call, x->form, {x}, attrs, "loop");
                     }),
              "calls are recursive");
}

BOOST_AUTO_TEST_CASE(finds_broken_collectives) {
  const auto set_groups = [](std::vector<dims> groups) {
    return [groups](module &m) {
      find(m, "all-reduce.1")->attrs.replica_groups = groups;
    };
  };
  CHECK_FOUND(broken("collectives.hlo", set_groups({{0, 4}})),
              "main/all-reduce.1: replica_groups name a partition twice or one "
              "that is not there");
  CHECK_FOUND(broken("collectives.hlo", set_groups({{0, 1}, {1, 2}})), "twice");
  CHECK_FOUND(broken("collectives.hlo", set_groups({{0, 1}, {2}})),
              "differ in size");
  CHECK_FOUND(broken("collectives.hlo",
                     [](module &m) {
                       find(m, "all-to-all.4")->attrs.replica_groups.clear();
                     }),
              "replica_groups are needed");
  CHECK_FOUND(
      broken("collectives.hlo",
             [](module &m) { find(m, "all-gather.2")->attrs.channel_id = 1; }),
      "main/all-gather.2: channel_id is used by another");
  CHECK_FOUND(
      broken("collectives.hlo",
             [](module &m) { find(m, "all-gather.2")->attrs.channel_id = 0; }),
      "channel_id must be positive");
}

BOOST_AUTO_TEST_CASE(finds_broken_composites) {
  const auto set = [](const char *key, const char *value) {
    return [key, value](module &m) {
      find(m, "call.10")->attrs.frontend[key] = value;
    };
  };
  CHECK_FOUND(broken("structure.hlo", set("composite.attributes", "{eps}")),
              "main/call.10: composite.attributes: expected name = value");
  CHECK_FOUND(broken("structure.hlo", set("composite.name", "")),
              "a composite needs composite.name");
  CHECK_FOUND(broken("structure.hlo", set("bad key", "1")),
              "a frontend attribute's name");
  CHECK_FOUND(
      broken("structure.hlo",
             [](module &m) { find(m, "call.10")->attrs.frontend.clear(); }),
      "a composite needs composite.name");
  CHECK_FOUND(
      broken("structure.hlo",
             [](module &m) { find(m, "count")->attrs.is_composite = true; }),
      "only a call can be a composite");
}

BOOST_AUTO_TEST_CASE(finds_broken_aliases) {
  const auto set = [](std::vector<alias> aliases) {
    return [aliases](module &m) { m.aliases = aliases; };
  };
  CHECK_FOUND(broken("indexing.hlo", set({{2, 0}})), "an output that is not");
  CHECK_FOUND(broken("indexing.hlo", set({{0, 3}})), "a parameter that is not");
  CHECK_FOUND(broken("indexing.hlo", set({{0, 1}})), "different shapes");
  CHECK_FOUND(broken("indexing.hlo", set({{0, 0}, {1, 0}})),
              "two aliases of one");
  CHECK_FOUND(broken("indexing.hlo", set({{0, 0}, {0, 2}})),
              "two aliases of one");
}

BOOST_AUTO_TEST_SUITE_END()
