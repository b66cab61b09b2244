#include "apps/cli/open_module.hpp"

#include "hlo/composite.hpp"
#include "hlo/proto/module_file.hpp"
#include "hlo/proto/serialise.hpp"
#include "runtime/artifacts/digest.hpp"
#include "runtime/checkpoint/mapped_file.hpp"

#include <iomanip>
#include <map>
#include <ostream>

namespace ganglion::apps {

namespace {

std::ostream &row(std::ostream &out, const std::string &name) {
  return out << "  " << std::left << std::setw(40) << name;
}

/// The output that shares memory with parameter `number`, or an empty text.
std::string alias_text(const hlo::module &m, std::int64_t number) {
  for (const auto &a : m.aliases)
    if (a.parameter_number == number)
      return (a.must ? ", must alias output " : ", may alias output ") +
             std::to_string(a.output_index);
  return {};
}

void describe_interface(std::ostream &out, const hlo::module &m) {
  out << "parameters\n";
  for (const auto *p : m.entry()->parameters())
    row(out, std::to_string(p->attrs.parameter_number) + " " + p->name)
        << to_string(p->form) << alias_text(m, p->attrs.parameter_number)
        << "\n";
  out << "outputs\n";
  const hlo::shape &result = m.entry()->root()->form;
  if (!result.tuple)
    row(out, "0") << to_string(result) << "\n";
  for (std::size_t k = 0; k < result.elements.size(); ++k)
    row(out, std::to_string(k)) << to_string(result.elements[k]) << "\n";
}

using counts = std::map<std::string, std::size_t>;

void describe_counts(std::ostream &out, const std::string &title,
                     const counts &all) {
  if (all.empty())
    return;
  out << title << "\n";
  for (const auto &[name, count] : all)
    row(out, name) << count << "\n";
}

} // namespace

std::unique_ptr<hlo::module> open_module(const std::string &path) {
  const auto file = runtime::mapped_file::open(path);
  const auto bytes = file.bytes();
  return hlo::read_module(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()}, path);
}

std::string key_of(const std::string &proto) {
  return runtime::digest_of(std::string_view(proto)).text();
}

void describe_module(std::ostream &out, const hlo::module &m) {
  counts operations, composites;
  std::size_t instructions = 0;
  for (const auto &c : m.computations())
    for (const auto &i : c->instructions()) {
      ++instructions;
      ++operations[std::string(to_string(i->op))];
      if (i->op == hlo::opcode::call && i->attrs.is_composite)
        ++composites[hlo::composite_name(*i)];
    }
  out << "module " << m.name() << "\n";
  row(out, "key") << key_of(hlo::serialise(m)) << "\n";
  row(out, "partitions") << m.num_partitions << "\n";
  row(out, "computations") << m.computations().size() << "\n";
  row(out, "instructions") << instructions << "\n";
  describe_interface(out, m);
  describe_counts(out, "operations", operations);
  describe_counts(out, "composites", composites);
}

} // namespace ganglion::apps
