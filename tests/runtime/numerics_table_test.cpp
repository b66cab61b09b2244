// How far every family's logits are from HuggingFace's f32 in each type, and
// how many greedy choices stay: within bounds, and near what
// docs/numerics_table.md says. GANGLION_WRITE_DOCS=1 writes that page.
#include "tests/runtime/deviation.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// The families, variants whose arithmetic is another, and the checkpoints
/// that are stored in a half type.
constexpr const char *models[] = {
    "llama",         "llama3",   "mistral",       "mistral-bf16",
    "mixtral",       "qwen2",    "qwen3",         "gpt2",
    "gpt2-bin-bf16", "gpt_neox", "gptj",          "gptj-f16",
    "gpt_bigcode",   "opt",      "opt-post-norm", "bloom",
};

struct kind {
  const char *name;
  runtime::weight_dtype dtype;
  hlo::weight_quantisation weights = {};
  bool int8_cache = false;

  bool quantised() const { return weights.on() || int8_cache; }
  bool is_int4() const { return weights.layers == hlo::quantisation::int4; }
};

using enum hlo::quantisation;
constexpr kind kinds[] = {
    {"bf16", runtime::weight_dtype::bf16},
    {"f16", runtime::weight_dtype::f16},
    {"int8 weights, f32", runtime::weight_dtype::f32, static_int8},
    {"int8 weights, bf16", runtime::weight_dtype::bf16, static_int8},
    {"int8 weights, f16", runtime::weight_dtype::f16, static_int8},
    {"int8 weights and head, bf16",
     runtime::weight_dtype::bf16,
     {static_int8, true}},
    {"int8 products, f32", runtime::weight_dtype::f32, int8_dynamic},
    {"int8 products, bf16", runtime::weight_dtype::bf16, int8_dynamic},
    {"int8 products and head, bf16",
     runtime::weight_dtype::bf16,
     {int8_dynamic, true}},
    {"int4 products, f32", runtime::weight_dtype::f32, int4},
    {"int4 products, bf16", runtime::weight_dtype::bf16, int4},
    {"int4 products, groups of 128, bf16",
     runtime::weight_dtype::bf16,
     {int4, false, 128}},
    {"int4 products and head, bf16", runtime::weight_dtype::bf16, {int4, true}},
    {"int8 cache, f32", runtime::weight_dtype::f32, none, true},
    {"int8 cache, bf16", runtime::weight_dtype::bf16, none, true},
};

/// One line of the table.
struct line {
  std::string model, what;
  deviation measured;
  double native = 0; ///< HuggingFace's own bf16, 0: not in the golden

  std::string text() const {
    char out[200];
    std::snprintf(out, sizeof out, "| %s | %s | %.4f | %s | %.2f | %.1f %% |",
                  model.c_str(), what.c_str(), measured.worst_error,
                  native > 0 ? number(native).c_str() : "-",
                  measured.largest_logit, 100 * measured.agreement());
    return out;
  }

private:
  static std::string number(double value) {
    char out[32];
    std::snprintf(out, sizeof out, "%.4f", value);
    return out;
  }
};

double native_bf16(const golden &g) {
  double most = 0;
  if (const auto list = g.expected.root().find("native_bf16_max_abs_diff"))
    for (const auto &of_prompt : list->items())
      most = std::max(most, of_prompt.as_double());
  return most;
}

line measured(const golden &g, const std::string &model, const kind &k) {
  group_settings s;
  s.dtype = k.dtype;
  s.quantize = k.weights;
  if (k.int8_cache)
    s.kv_cache_quant = hlo::cache_quantisation::s8;
  line out{model, k.name, deviation_of(g, s)};
  if (k.dtype == runtime::weight_dtype::bf16 && !k.quantised())
    out.native = native_bf16(g);
  return out;
}

/// Where a router chooses otherwise in one row, that row's logits are others.
bool is_mixture(const line &l) { return l.model == "mixtral"; }

/// Of the largest logit.
double accepted_share(const line &l, const kind &k) {
  if (k.is_int4())
    return 1.2; // see int4_model_test.cpp for what bounds it
  if (is_mixture(l))
    return 0.5;
  if (k.weights.layers == int8_dynamic)
    return 0.2; // inputs are rounded as well
  if (k.quantised())
    return 0.15;
  return k.dtype == runtime::weight_dtype::f16 ? 0.01 : 0.1;
}

void check_bounds(const line &l, const kind &k) {
  const auto &d = l.measured;
  BOOST_TEST(d.worst_error > 0, l.text());
  BOOST_TEST(d.worst_error < accepted_share(l, k) * d.largest_logit, l.text());
  BOOST_TEST(d.agreement() > (k.is_int4()     ? 0.2
                              : k.quantised() ? 0.8
                                              : 0.9),
             l.text());
  // What the original does with the same type is what ours may do.
  if (l.native > 0)
    BOOST_TEST(d.worst_error < 1.5 * l.native, l.text());
}

std::vector<line> all_lines() {
  std::vector<line> out;
  for (const char *model : models) {
    const golden g(model);
    for (const kind &k : kinds) {
      out.push_back(measured(g, model, k));
      check_bounds(out.back(), k);
    }
  }
  return out;
}

std::string heading() {
  return "# How far from HuggingFace\n\n"
         "Made by `GANGLION_WRITE_DOCS=1 test_runtime "
         "--run_test=numerics_table`; without it the test fails where a "
         "figure\n"
         "is far from this page's (other instruction sets round otherwise).\n"
         "For each golden checkpoint, all of which are tiny and random, so "
         "that little averages out: the worst logit error\n"
         "against HuggingFace's f32 at any prompt position, beside what "
         "HuggingFace's own bf16 arithmetic is off where the\n"
         "golden says it (`native_bf16_max_abs_diff`, worst of all prompts), "
         "the largest logit, and how many greedy choices\n"
         "along the golden's continuation stay. Where a router of mixtral "
         "chooses "
         "otherwise, a row's logits are others. `mistral-bf16`, "
         "`gpt2-bin-bf16` and `gptj-f16` are stored in those types.\n\n"
         "| model | what | worst logit error | HuggingFace's bf16 | largest "
         "logit | greedy choices that agree |\n"
         "|---|---|---|---|---|---|\n";
}

std::string page_path() { return source_dir() + "/docs/numerics_table.md"; }

void write_page(const std::vector<line> &lines) {
  std::ofstream file(page_path());
  file << heading();
  for (const line &l : lines)
    file << l.text() << "\n";
}

/// The cells of each line of the page's table.
std::vector<std::vector<std::string>> read_page() {
  std::vector<std::vector<std::string>> out;
  std::ifstream file(page_path());
  for (std::string text; std::getline(file, text);) {
    if (!text.starts_with("| ") || text.starts_with("| model"))
      continue;
    std::vector<std::string> cells;
    std::stringstream rest(text.substr(2));
    for (std::string cell; std::getline(rest, cell, '|');)
      cells.push_back(cell.substr(0, cell.find_last_not_of(' ') + 1));
    for (auto &cell : cells)
      cell.erase(0, cell.find_first_not_of(' '));
    out.push_back(std::move(cells));
  }
  return out;
}

void check_page(const line &l, const std::vector<std::string> &cells) {
  BOOST_REQUIRE(cells.size() >= 6u);
  BOOST_TEST(cells[0] == l.model);
  BOOST_TEST(cells[1] == l.what);
  const double error = std::stod(cells[2]);
  if (!is_mixture(l))
    BOOST_TEST(std::abs(error - l.measured.worst_error) <
                   0.3 * error + 0.03 * l.measured.largest_logit,
               l.text() << " but the page says " << error);
  BOOST_TEST(std::abs(std::stod(cells[5]) - 100 * l.measured.agreement()) < 8,
             l.text() << " but the page says " << cells[5]);
}

} // namespace

BOOST_AUTO_TEST_SUITE(numerics_table)

BOOST_AUTO_TEST_CASE(the_page_says_what_types_do) {
  const auto lines = all_lines();
  if (std::getenv("GANGLION_WRITE_DOCS"))
    write_page(lines);
  const auto page = read_page();
  BOOST_REQUIRE(page.size() == lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    check_page(lines[i], page[i]);
}

BOOST_AUTO_TEST_SUITE_END()
