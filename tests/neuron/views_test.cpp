// Tiled weights and caches in an order of their own: where the device keeps
// them so, and where it must not.
#include "hlo/composites/columns.hpp"
#include "hlo/composites/kv_cache.hpp"
#include "hlo/composites/linear.hpp"
#include "hlo/composites/views.hpp"
#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "tests/neuron/composite_case.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

const auto isa = neuron::available_isas().back();

literal counted(const hlo::shape &form) {
  literal out(form);
  for (std::int64_t i = 0; i < form.size(); ++i)
    if (form.type == element_type::s32) // slots of rows
      out.set_integer(i, i + 1);
    else
      out.set_real(i, static_cast<double>(i % 11) - 5);
  return out;
}

/// Runs `m` and compares all outputs with the evaluator's, by bits: sums of
/// small whole numbers are exact.
std::shared_ptr<const neuron::program> check(const hlo::module &m) {
  std::vector<literal> arguments;
  for (const auto *p : m.entry()->parameters())
    arguments.push_back(counted(p->form));
  const literal all = hlo::evaluate(m, arguments);
  const auto code = neuron::compile(m, {isa});
  bound_program p(code, arguments);
  p.run({.threads = 2, .live_tokens = 4});
  for (std::size_t k = 0; k < code->outputs.size(); ++k)
    BOOST_TEST(same_bits(p.output(k), all.elements()[k]));
  return code;
}

/// x W^T of a tiled weight [200, 130], and what `more` returns besides.
template <class More>
std::unique_ptr<hlo::module> tiled_product(hlo::tiling how, element_type type,
                                           More more) {
  auto m = std::make_unique<hlo::module>("tiles");
  hlo::builder b(*m, "main");
  const hlo::dims matrix{200, 130};
  const value x = b.parameter(0, hlo::array_shape(type, {4, 130}), "x");
  const value w =
      b.parameter(1, hlo::array_shape(type, hlo::tiled(how, matrix)), "w");
  const value whole = hlo::untiled(b, w, matrix);
  std::vector<value> out{hlo::linear(b, x, whole, nullptr,
                                     hlo::activation::none, element_type::f32)};
  more(b, out, w, whole);
  m->set_entry(b.build(b.tuple(out)));
  return m;
}

const auto nothing = [](auto &...) {};

/// A cache [2 positions, 3 blocks, 2 heads, 16] with rows written to it.
template <class More>
std::unique_ptr<hlo::module> written_cache(More more) {
  auto m = std::make_unique<hlo::module>("cache");
  hlo::builder b(*m, "main");
  const hlo::dims order{1, 2, 0, 3};
  const value rows =
      b.parameter(0, hlo::array_shape(element_type::f32, {4, 2, 16}), "rows");
  const value slots =
      b.parameter(1, hlo::array_shape(element_type::s32, {4}), "slots");
  const value cache = b.parameter(
      2, hlo::array_shape(element_type::f32, {2, 3, 2, 16}), "cache");
  const value written =
      hlo::write_values(b, rows, slots, hlo::relaid(b, cache, order));
  std::vector<value> out{hlo::relaid(b, written, hlo::inverse(order))};
  more(b, out, cache, written);
  m->set_entry(b.build(b.tuple(out)));
  m->aliases.push_back({0, 2, true});
  return m;
}

} // namespace

BOOST_AUTO_TEST_SUITE(views)

BOOST_AUTO_TEST_CASE(tiles_alone_are_packed_as_their_matrix) {
  for (const auto how : {hlo::tiling::outputs, hlo::tiling::blocks})
    for (const auto type : {element_type::f32, element_type::bf16}) {
      const auto m = tiled_product(how, type, nothing);
      const auto code = check(*m);
      BOOST_TEST(code->calls.size() == 1u);
      BOOST_TEST((code->parameters[1].how == neuron::packing::panels));
      BOOST_TEST((code->parameters[1].form.dimensions == hlo::dims{200, 130}));
      check(*hlo::parse(hlo::print(*m), "again"));
    }
}

BOOST_AUTO_TEST_CASE(tiles_that_something_else_reads_stay_as_they_are) {
  const auto keeps = [](const hlo::module &m) {
    const auto code = check(m);
    BOOST_TEST((code->parameters[1].how == neuron::packing::row_major));
    BOOST_TEST((code->parameters[1].form == m.entry()->parameters()[1]->form));
  };
  keeps(*tiled_product(
      hlo::tiling::blocks, element_type::f32,
      [](auto &, auto &out, value w, value) { out.push_back(w); }));
  keeps(*tiled_product(hlo::tiling::outputs, element_type::f32,
                       [](auto &b, auto &out, value, value whole) {
                         out.push_back(b.add(whole, whole));
                       }));
  keeps(*tiled_product(hlo::tiling::outputs, element_type::f32,
                       [](auto &b, auto &out, value w, value) {
                         out.push_back(hlo::untiled(b, w, {150, 130}));
                       }));
}

BOOST_AUTO_TEST_CASE(a_cache_that_goes_round_lies_in_the_order_of_kernels) {
  const auto code = check(*written_cache(nothing));
  BOOST_TEST(code->calls.size() == 1u);
  BOOST_TEST((code->parameters[2].order == hlo::dims{1, 2, 0, 3}));
  BOOST_TEST((code->parameters[2].form.dimensions == hlo::dims{3, 2, 2, 16}));
}

BOOST_AUTO_TEST_CASE(a_cache_that_something_else_reads_does_not) {
  const auto turns = [](const hlo::module &m) {
    const auto code = check(m);
    BOOST_TEST(code->parameters[2].order.empty());
    BOOST_TEST(code->print().find("transpose") != std::string::npos);
  };
  turns(*written_cache([](auto &b, auto &out, value cache, value) {
    out.push_back(b.add(cache, cache));
  }));
  turns(*written_cache([](auto &b, auto &out, value cache, value) {
    out.push_back(hlo::relaid(b, cache, {0, 1, 3, 2}));
  }));
  turns(*written_cache([](auto &b, auto &out, value, value) {
    out.push_back(b.add(out[0], out[0]));
  }));
}

BOOST_AUTO_TEST_CASE(an_order_that_is_none_is_refused) {
  auto text = hlo::print(*written_cache(nothing));
  const std::string good = "1203";
  for (auto at = text.find(good); at != std::string::npos;
       at = text.find(good, at + 1))
    text.replace(at, good.size(), "1200");
  BOOST_CHECK_EXCEPTION(neuron::compile(*hlo::parse(text, "case"), {isa}),
                        error,
                        [](const error &e) { return e.field() == "order"; });
}

BOOST_AUTO_TEST_CASE(columns_of_every_type) {
  for (const auto type : storage_types) {
    hlo::module m("columns");
    hlo::builder b(m, "main");
    const value x = b.parameter(0, hlo::array_shape(type, {4, 10}), "x");
    m.set_entry(b.build(b.tuple(std::vector{hlo::take_columns(b, x, 0, 3),
                                            hlo::take_columns(b, x, 3, 7)})));
    const auto code = check(m);
    BOOST_TEST(code->calls.size() == 2u);
    BOOST_TEST(code->calls[0].kernel.starts_with("take_columns"));
  }
}

BOOST_AUTO_TEST_SUITE_END()
