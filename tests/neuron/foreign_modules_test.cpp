// Modules that XLA wrote of small JAX functions, with what XLA made of their
// inputs. scripts/check-xla writes them anew, and XLA's own protos beside them.
#include "hlo/evaluator/evaluator.hpp"
#include "hlo/proto/serialise.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "neuron/compiler/module_run.hpp"
#include "runtime/checkpoint/safetensors.hpp"
#include "tests/fixtures.hpp"
#include "tests/neuron/program_runner.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;
using hlo::literal;

namespace {

std::string directory() {
  const char *other = std::getenv("GANGLION_FOREIGN");
  return other ? other : source_dir() + "/tests/cases/hlo/foreign";
}

std::vector<std::string> module_names() {
  std::vector<std::string> out;
  for (const auto &entry : std::filesystem::directory_iterator(directory()))
    if (entry.path().extension() == ".hlo")
      out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

/// Empty when there is no such file.
std::string contents(const std::string &name) {
  std::ifstream in(directory() + "/" + name, std::ios::binary);
  std::ostringstream out;
  if (in)
    out << in.rdbuf();
  return out.str();
}

/// The tensor of that name as a value of the wanted shape.
literal value_of(const runtime::safetensors_file &file, const std::string &name,
                 const hlo::shape &form) {
  const auto *tensor = file.find(name);
  BOOST_REQUIRE_MESSAGE(tensor, name << " is missing");
  BOOST_REQUIRE(tensor->dims == form.dimensions);
  literal out(form);
  BOOST_REQUIRE(tensor->bytes.size() == out.bytes().size());
  std::copy(tensor->bytes.begin(), tensor->bytes.end(), out.bytes().data());
  return out;
}

/// Largest difference relative to the largest finite element or 1; infinite
/// where one is not finite and the other another.
double difference(const literal &got, const literal &want) {
  double most = 0, scale = 1;
  for (std::int64_t i = 0; i < want.form().size(); ++i) {
    const double a = got.real(i), b = want.real(i);
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    if (!std::isfinite(a) || !std::isfinite(b))
      return INFINITY;
    scale = std::max(scale, std::abs(b));
    most = std::max(most, std::abs(a - b));
  }
  return most / scale;
}

double tolerance(const hlo::shape &form) {
  return is_floating(form.type) ? 2e-6 : 0;
}

void check_results(const std::string &name, const std::string &who,
                   const std::vector<literal> &got,
                   const runtime::safetensors_file &values) {
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto want =
        value_of(values, name + "/out/" + std::to_string(k), got[k].form());
    const double off = difference(got[k], want);
    BOOST_TEST(off <= tolerance(got[k].form()),
               name << " output " << k << ": " << who << " is off by " << off);
  }
}

void check_module(const std::string &name,
                  const runtime::safetensors_file &values) {
  const auto m = hlo::parse(contents(name + ".hlo"), name);
  const auto printed = hlo::print(*m);
  BOOST_TEST(hlo::print(*hlo::parse(printed, name)) == printed);
  const auto by_xla = contents(name + ".hlo.pb");
  const auto read =
      hlo::deserialise(by_xla.empty() ? hlo::serialise(*m) : by_xla, name);
  std::vector<std::vector<literal>> arguments(1);
  for (const auto *p : m->entry()->parameters())
    arguments[0].push_back(value_of(
        values, name + "/in/" + std::to_string(p->attrs.parameter_number),
        p->form));
  check_results(name, "the evaluator",
                arrays_of(hlo::evaluate(*m, arguments[0])), values);
  check_results(name, "the device",
                neuron::run_module(*read, arguments,
                                   {neuron::available_isas().back()})[0],
                values);
}

} // namespace

BOOST_AUTO_TEST_SUITE(foreign_modules)

BOOST_AUTO_TEST_CASE(run_here_as_under_xla) {
  const auto values =
      runtime::safetensors_file::open(directory() + "/values.safetensors");
  const auto names = module_names();
  BOOST_TEST(names.size() >= 100);
  for (const auto &name : names)
    BOOST_TEST_CONTEXT(name)
  BOOST_CHECK_NO_THROW(check_module(name, values));
  BOOST_TEST_MESSAGE("foreign modules: " << names.size());
}

BOOST_AUTO_TEST_SUITE_END()
