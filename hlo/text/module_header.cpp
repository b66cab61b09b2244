#include "hlo/text/module_header.hpp"

#include "hlo/text/attribute_table.hpp"
#include "hlo/text/attribute_values.hpp"
#include "hlo/text/shape_text.hpp"

namespace ganglion::hlo::text {

std::optional<signature> read_signature(lexer &in, bool named) {
  if (!in.accept("("))
    return std::nullopt;
  signature out;
  while (!in.accept(")")) {
    if (!out.parameters.empty())
      in.expect(",");
    if (named) {
      in.value_name();
      in.expect(":");
    }
    out.parameters.push_back(read_shape(in));
  }
  in.expect("->");
  out.result = read_shape(in);
  return out;
}

bool matches(const signature &stated, const computation &c) {
  const auto parameters = c.parameters();
  if (parameters.size() != stated.parameters.size() ||
      !compatible(stated.result, c.root()->form))
    return false;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!compatible(stated.parameters[i], parameters[i]->form))
      return false;
  return true;
}

namespace {

stated_alias read_alias(lexer &in) {
  stated_alias out;
  out.place = in.place();
  out.output = read_list(in);
  in.expect(":");
  in.expect("(");
  out.parameter = in.integer();
  if (in.accept(",") && !read_list(in).empty())
    in.fail_at(out.place, "aliases into tuple parameters are not supported");
  if (in.accept(",")) {
    out.must = in.accept("must-alias");
    if (!out.must)
      in.expect("may-alias");
  }
  in.expect(")");
  return out;
}

std::vector<stated_alias> read_aliases(lexer &in) {
  std::vector<stated_alias> out;
  in.expect("{");
  if (in.accept("}"))
    return out;
  do
    out.push_back(read_alias(in));
  while (in.accept(","));
  in.expect("}");
  return out;
}

void read_layout(lexer &in, module_header &out) {
  out.layout_place = in.place();
  in.expect("{");
  out.layout = read_signature(in, false);
  if (!out.layout)
    in.fail("expected '('");
  in.expect("}");
}

void read_replica_count(lexer &in) {
  const std::size_t place = in.place();
  if (in.integer() != 1)
    in.fail_at(place, "replica_count must be 1");
}

/// How far XLA got with the module, or what it may still do.
bool skip_ignorable_of_module(lexer &in, std::string_view name) {
  if (name == "is_scheduled")
    in.boolean();
  else if (name == "frontend_attributes" ||
           name == "allow_spmd_sharding_propagation_to_parameters" ||
           name == "allow_spmd_sharding_propagation_to_output")
    in.braced();
  else
    return skip_ignorable(in, name);
  return true;
}

void read_module_attribute(lexer &in, module_header &out) {
  const std::size_t place = in.place();
  const std::string_view name = in.name();
  in.expect("=");
  if (name == "input_output_alias")
    out.aliases = read_aliases(in);
  else if (name == "entry_computation_layout")
    read_layout(in, out);
  else if (name == "num_partitions")
    out.num_partitions = in.integer();
  else if (name == "replica_count")
    read_replica_count(in);
  else if (!skip_ignorable_of_module(in, name))
    in.fail_at(place,
               "unknown attribute '" + std::string(name) + "' of the module");
}

} // namespace

module_header read_module_header(lexer &in) {
  in.expect("HloModule");
  module_header out;
  out.name = in.value_name();
  while (in.accept(","))
    read_module_attribute(in, out);
  return out;
}

void apply_module_header(lexer &in, const module_header &header, module &m) {
  if (header.layout && !matches(*header.layout, *m.entry()))
    in.fail_at(header.layout_place,
               "entry_computation_layout differs from the entry");
  const bool tuple = m.entry()->root()->form.tuple;
  for (const stated_alias &a : header.aliases) {
    if (a.output.size() != (tuple ? 1u : 0u))
      in.fail_at(a.place, tuple ? "expected one output index"
                                : "expected {}: the entry returns one array");
    m.aliases.push_back({tuple ? a.output[0] : 0, a.parameter, a.must});
  }
}

} // namespace ganglion::hlo::text
