// docs/configuration.md is made from the table of options and must say what it
// says; GANGLION_WRITE_DOCS=1 writes it.
#include "runtime/config/option_table.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace ganglion::runtime;

namespace {

struct section {
  option_scope scope;
  const char *title, *introduction;
};

constexpr section sections[] = {
    {option_scope::model, "Model", ""},
    {option_scope::graph, "Graph and device", ""},
    {option_scope::scheduling, "Scheduling", ""},
    {option_scope::speculation, "Speculation", ""},
    {option_scope::server, "Server", ""},
    {option_scope::ignored, "Accepted without effect",
     "A start with one of these says that it changes nothing, and why.\n\n"},
    {option_scope::refused, "Refused",
     "A start with one of these fails. Where a value is named as accepted, it "
     "may be given.\n\n"},
};

constexpr const char *introduction =
    R"(# Configuration

Made from the table of options (`runtime/config`) by
`GANGLION_WRITE_DOCS=1 test_runtime --run_test=configuration_page`.

An option is given, from the strongest to the weakest, on the command line
(`--tensor-parallel-degree 4`), in `serving.properties` in the model's directory
(`option.tensor_parallel_degree=4`, with or without `option.`), as
`OPTION_TENSOR_PARALLEL_DEGREE`, by a variable of its own, as
`SERVING_TENSOR_PARALLEL_DEGREE`, or in `config.properties`
(`serve --config-file`). `ganglion config --explain` prints every value with
where it is from.

An unknown key is a warning with the nearest known name, with `--strict` an
error. A value that is not accepted ends the start, naming key, value and what
is accepted. Values are the same in any case of letters.

`ganglion serve` starts as the LMI container does. For the families llama and
mistral, `n_positions`, `tensor_parallel_degree` and `max_rolling_batch_size`
have the container's smart defaults where nobody gives them: positions up to
4096, and the smallest degree at which copies of the model on all cores would
run the most sequences, by the container's estimate. Other families have the
model's own positions. Unlike the container's, these defaults are weaker than
`TENSOR_PARALLEL_DEGREE`. Where the degree is given, a rank takes two threads at
most (the container's `OMP_NUM_THREADS` of twice the degree); `OMP_NUM_THREADS`
says the number itself. A `model.py` or `requirements.txt` in the model's
directory is refused.
)";

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string names_of(const option_spec &spec) {
  std::string out = "`" + std::string(spec.name) + "`";
  for (const auto alias : spec.aliases)
    out += ", `" + std::string(alias) + "`";
  if (!spec.variable.empty())
    out += ", variable `" + std::string(spec.variable) + "`";
  return out;
}

std::string notes_of(const option_spec &spec) {
  std::string out;
  for (const auto &note : spec.ignored)
    out += "; " +
           (note.value == "*" ? std::string()
                              : "`" + std::string(note.value) + "`: ") +
           std::string(note.text);
  for (const auto &note : spec.refused)
    if (note.value != "1") // said of true already
      out += "; " +
             (note.value == "*"
                  ? std::string("refused: ")
                  : "`" + std::string(note.value) + "` is refused: ") +
             std::string(note.text);
  return out;
}

bool never_accepted(const option_spec &spec) {
  return !spec.refused.empty() && spec.refused.front().value == "*";
}

std::string row_of(const option_spec &spec) {
  return "| " + names_of(spec) + " | " + cell(spec.fallback) + " | " +
         (never_accepted(spec) ? "" : cell(accepted_text(spec))) + " | " +
         cell(spec.help) + cell(notes_of(spec)) + " |\n";
}

std::string page() {
  std::string out = introduction;
  for (const auto &[scope, title, about] : sections) {
    out += "\n## " + std::string(title) + "\n\n" + about +
           "| option | default | accepted | |\n|---|---|---|---|\n";
    for (const auto &spec : engine_options())
      if (spec.scope == scope)
        out += row_of(spec);
  }
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(configuration_page)

BOOST_AUTO_TEST_CASE(the_page_says_what_the_table_says) {
  const std::string path =
      std::string(GANGLION_SOURCE_DIR) + "/docs/configuration.md";
  const std::string now = page();
  if (std::getenv("GANGLION_WRITE_DOCS"))
    std::ofstream(path) << now;
  std::ifstream file(path);
  std::stringstream kept;
  kept << file.rdbuf();
  BOOST_TEST(kept.str() == now);
}

BOOST_AUTO_TEST_CASE(every_option_has_a_section) {
  for (const auto &spec : engine_options())
    BOOST_TEST(std::ranges::count(sections, spec.scope, &section::scope) == 1,
               spec.name);
}

BOOST_AUTO_TEST_SUITE_END()
