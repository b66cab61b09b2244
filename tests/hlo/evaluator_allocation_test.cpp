#include "hlo/evaluator/operation.hpp"
#include "tests/hlo/evaluator_support.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> allocations{0};

} // namespace

// Sanitizers bring their own operator new, which must not be mixed with ours.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GANGLION_COUNTS 0
#else
#define GANGLION_COUNTS 1
// Not inlined: GCC would see free() paired with new and warn.
[[gnu::noinline]] void *operator new(std::size_t size) {
  ++allocations;
  if (void *p = std::malloc(size > 0 ? size : 1))
    return p;
  throw std::bad_alloc();
}

[[gnu::noinline]] void operator delete(void *p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void *p, std::size_t) noexcept {
  std::free(p);
}
#endif

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::hlo::testing;

namespace {

/// Allocations of every operation but parameters that `make` builds.
std::int64_t allocated_by(const graph &make,
                          const std::vector<literal> &arguments) {
  module m("test");
  set_entry(m, make, arguments);
  std::map<const instruction *, literal> values;
  std::int64_t total = 0;
  for (const auto &i : m.entry()->instructions()) {
    values.emplace(i.get(), literal(i->form));
    const literal &out = values.at(i.get());
    if (i->op == opcode::parameter) {
      const auto &given =
          arguments[static_cast<std::size_t>(i->attrs.parameter_number)];
      std::memcpy(out.view().data, given.bytes().data(), given.bytes().size());
      continue;
    }
    std::vector<literal_view> in;
    for (const instruction *o : i->operands)
      in.push_back(values.at(o).view());
    const auto before = allocations.load();
    evaluate_operation(*i, in, out.view());
    total += allocations.load() - before;
  }
  return total;
}

} // namespace

BOOST_AUTO_TEST_SUITE(evaluator_allocation)

BOOST_AUTO_TEST_CASE(elementwise_and_movement_do_not_allocate) {
  const graph make = [](builder &b, auto p) {
    const value x = b.convert(b.transpose(p[0], {1, 0}), et::bf16);
    const value y = b.slice_in_dim(b.reshape(x, {4, 2}), 0, 1, 3);
    const value z = b.add(y, b.convert(b.iota(y->form, 0), et::bf16));
    const value both[] = {
        z, b.broadcast_scalar(b.constant_real(et::bf16, 1), {2, 2})};
    const value all = b.concatenate(both, 1);
    const value large = b.compare(comparison::gt, all, b.filled_like(all, 1));
    const value padded =
        b.pad(b.select(large, all, b.unary(opcode::tanh, all)),
              b.constant_real(et::bf16, 0), {{1, 0, 1}, {0, -1, 0}});
    return b.reverse(padded, {0});
  };
  BOOST_TEST(allocated_by(make, list(array(et::f32, {2, 4},
                                           {1, 2, 3, 4, 5, 6, 7, 8}))) == 0);
}

BOOST_AUTO_TEST_CASE(cache_updates_and_row_lookups_do_not_allocate) {
  const graph make = [](builder &b, auto p) {
    computation *replace =
        scalar_graph(b.owner(), "replace", {et::f32, et::f32},
                     [](builder &, auto q) { return q[1]; });
    const value rows = b.gather_rows(p[0], p[1]);
    const value cache =
        b.scatter(p[0], p[1], rows, {{1}, {0}, {0}, 1}, replace);
    const value starts[] = {b.constant_s32(0), b.constant_s32(1)};
    return b.dynamic_update_slice(cache, b.dynamic_slice(cache, starts, {1, 1}),
                                  starts);
  };
  BOOST_TEST(allocated_by(make, list(array(et::f32, {2, 2}, {1, 2, 3, 4}),
                                     vector_of(et::s32, {1, 5}))) == 0);
}

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  if (!GANGLION_COUNTS) {
    BOOST_TEST_MESSAGE("allocations are not counted under a sanitizer");
    return;
  }
  const graph make = [](builder &b, auto p) {
    return b.dot(p[0], p[0], {{0}, {0}, {}, {}}, et::f32);
  };
  BOOST_TEST(allocated_by(make, list(vector_of(et::f32, {1, 2}))) > 0);
}

BOOST_AUTO_TEST_SUITE_END()
