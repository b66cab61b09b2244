// What int4 weights mean: a model whose matrices are written as the numbers
// that int4 stands for, and computed in f32, gives the same logits but for what
// rounding the activations does.
#include "neuron/nibble_packing.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"
#include "tests/runtime/copied_model.hpp"
#include "tests/runtime/deviation.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstring>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// `x` [n, k] as int4 keeps it where ranks have `part` inputs each.
void through_int4(std::span<float> x, std::int64_t n, std::int64_t k,
                  std::int64_t part, std::int64_t group) {
  const auto groups = (part + group - 1) / group;
  std::vector<std::int8_t> codes(static_cast<std::size_t>(n * part));
  std::vector<float16> scales(static_cast<std::size_t>(n * groups));
  for (std::int64_t first = 0; first < k; first += part) {
    auto source = neuron::matrix_source(hlo::element_type::f32,
                                        x.data() + first, {n, part});
    source.row_stride = k;
    neuron::int4_codes(source, group, "w", codes.data(), scales.data());
    for (std::int64_t r = 0; r < n; ++r)
      for (std::int64_t i = 0; i < part; ++i)
        x[r * k + first + i] = static_cast<float>(codes[r * part + i]) *
                               to_float(scales[r * groups + i / group]);
  }
}

/// The model with every matrix of its layers as int4 keeps it.
void write_through_int4(const copied_model &to, std::int64_t tp_degree,
                        std::int64_t group) {
  const auto from = runtime::checkpoint::open(to.path());
  std::vector<runtime::tensor_spec> specs;
  std::vector<std::vector<float>> values;
  for (const auto &name : from->names()) {
    const auto t = from->at(name);
    BOOST_REQUIRE(t.dtype == runtime::tensor_dtype::f32);
    specs.push_back({name, t.dtype, t.dims});
    auto &x = values.emplace_back(t.element_count());
    std::memcpy(x.data(), t.bytes.data(), t.bytes.size());
    const bool splits_inputs = name.find("down_proj") != std::string::npos ||
                               name.find("o_proj") != std::string::npos;
    if (name.find("_proj.weight") != std::string::npos)
      through_int4(x, t.dims[0], t.dims[1],
                   splits_inputs ? t.dims[1] / tp_degree : t.dims[1], group);
  }
  runtime::safetensors_writer out(to / "other", specs);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto &as_written = out.tensors()[i];
    const auto at =
        std::ranges::find(specs, as_written.name, &runtime::tensor_spec::name) -
        specs.begin();
    out.write(i, 0, std::as_bytes(std::span(values[std::size_t(at)])));
  }
  out.commit();
  std::filesystem::rename(to / "other", to / "model.safetensors");
}

} // namespace

BOOST_AUTO_TEST_SUITE(int4_model)

BOOST_DATA_TEST_CASE(is_the_model_of_its_numbers,
                     boost::unit_test::data::make({"llama", "mistral", "qwen2",
                                                   "qwen3"}) *
                         boost::unit_test::data::make({1, 2}) *
                         boost::unit_test::data::make({32, 64}),
                     name, tp_degree, group) {
  const golden g(name);
  const auto ids = ids_of(g.expected.root().at("prompts").items()[3].at("ids"));
  group_settings s;
  s.dtype = runtime::weight_dtype::f32;
  s.tp_degree = tp_degree;
  const copied_model rounded(name);
  write_through_int4(rounded, tp_degree, group);
  shard_group exact(rounded.path(), s);
  s.quantize = {hlo::quantisation::int4, false, group};
  shard_group four_bits(g.directory, s), again(rounded.path(), s);
  const auto want = prompt_logits(exact, 0, ids);
  const auto got = prompt_logits(four_bits, 0, ids);
  double largest = 0;
  for (const float x : want)
    largest = std::max(largest, double(std::abs(x)));
  BOOST_TEST(worst(got, want) < 0.2 * largest); // as with int8_dynamic
  // Numbers of int4 stay what they are.
  BOOST_TEST(worst(prompt_logits(again, 0, ids), got) < 0.02 * largest);
}

BOOST_AUTO_TEST_SUITE_END()
