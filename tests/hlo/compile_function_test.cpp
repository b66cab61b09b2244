#include "hlo/compile_function.hpp"
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/proto/serialise.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

// The example of hlo/README.md, word for word.
std::unique_ptr<hlo::module> lm_head(hlo::element_type dtype,
                                     std::int64_t hidden_size,
                                     std::int64_t n_active_tokens,
                                     std::int64_t batch_size,
                                     std::int64_t vocab_size) {
  return hlo::compile_function("lm_head", [=](hlo::builder &b) {
    const auto hidden = b.parameter(
        0, hlo::array_shape(dtype, {hidden_size, n_active_tokens, batch_size}),
        "hidden");
    const auto weight = b.parameter(
        1, hlo::array_shape(dtype, {hidden_size, vocab_size}), "weight");
    const auto rows = n_active_tokens * batch_size;
    const auto flat = b.reshape(hidden, {hidden_size, rows});
    const auto logits = b.dot(weight, flat, {{0}, {0}, {}, {}}, dtype);
    return b.reshape(logits, {vocab_size, n_active_tokens, batch_size});
  });
}

std::string file_text(const std::string &path) {
  std::ifstream in(source_dir() + "/" + path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

} // namespace

BOOST_AUTO_TEST_SUITE(compile_function)

BOOST_AUTO_TEST_CASE(the_example_is_that_of_the_readme) {
  const auto source = file_text("tests/hlo/compile_function_test.cpp");
  const auto begin = source.find("std::unique_ptr<hlo::module> lm_head"),
             end = source.find("\n}\n", begin) + 3;
  BOOST_TEST(contains(file_text("hlo/README.md"),
                      "```cpp\n" + source.substr(begin, end - begin) + "```"));
}

BOOST_AUTO_TEST_CASE(the_example_runs) {
  const auto m = lm_head(hlo::element_type::f32, 2, 1, 2, 3);
  const auto read = hlo::deserialise(hlo::serialise(*m), "lm_head");
  std::vector<hlo::literal> arguments;
  arguments.push_back(
      hlo::literal::from_floats({2, 1, 2}, std::vector<float>{1, 2, 3, 4}));
  arguments.push_back(
      hlo::literal::from_floats({2, 3}, std::vector<float>{1, 0, 2, 0, 1, -1}));
  const auto logits = hlo::evaluate(*read, arguments);
  const std::vector<double> expected{1, 2, 3, 4, -1, 0};
  BOOST_TEST(logits.form().dimensions == (hlo::dims{3, 1, 2}),
             boost::test_tools::per_element());
  for (std::int64_t i = 0; i < 6; ++i)
    BOOST_TEST(logits.real(i) == expected[static_cast<std::size_t>(i)]);
}

BOOST_AUTO_TEST_CASE(ranks_and_aliases_are_the_functions_own) {
  const auto m = hlo::compile_function(
      "sums",
      [](hlo::builder &b) {
        b.owner().aliases.push_back({0, 0, true});
        return b.all_reduce(
            b.parameter(0, hlo::array_shape(hlo::element_type::f32, {4}), "x"),
            {{0, 1}});
      },
      2);
  BOOST_TEST(m->num_partitions == 2);
  BOOST_TEST(contains(print(*m), "{}: (0, {}, must-alias)"));
}

BOOST_AUTO_TEST_CASE(parameters_are_numbered_from_0) {
  const auto message = refusal([] {
    hlo::compile_function("f", [](hlo::builder &b) {
      return b.parameter(1, hlo::scalar_shape(hlo::element_type::f32), "x");
    });
  });
  BOOST_TEST(contains(message, "parameters are not numbered 0, 1, 2"));
}

BOOST_AUTO_TEST_SUITE_END()
