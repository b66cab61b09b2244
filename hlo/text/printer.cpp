#include "hlo/text/printer.hpp"

#include "hlo/text/attribute_table.hpp"
#include "hlo/text/attribute_values.hpp"
#include "hlo/text/shape_text.hpp"

namespace ganglion::hlo {

namespace {

void append_operands(std::string &out, const instruction &i) {
  out += '(';
  if (i.op == opcode::parameter)
    out += std::to_string(i.attrs.parameter_number);
  else if (i.op == opcode::constant)
    text::append_literal(out, *i.attrs.value);
  for (std::size_t k = 0; k < i.operands.size(); ++k) {
    out += k > 0 ? ", %" : "%";
    out += i.operands[k]->name;
  }
  out += ')';
}

void append_attributes(std::string &out, const instruction &i) {
  for (const auto &rule : text::attribute_rules(i.op)) {
    const std::size_t before = out.size();
    out += ", ";
    out += rule.name;
    out += '=';
    if (!rule.append(out, i))
      out.resize(before);
  }
  if (!i.attrs.frontend.empty()) {
    out += ", frontend_attributes=";
    text::append_frontend(out, i.attrs.frontend);
  }
}

void append_instruction(std::string &out, const instruction &i) {
  out += "%" + i.name + " = " + to_string(i.form) + " ";
  out += to_string(i.op);
  append_operands(out, i);
  append_attributes(out, i);
}

void append_computation(std::string &out, const computation &c, bool entry) {
  out += entry ? "\nENTRY %" : "\n%";
  out += c.name() + " (";
  const auto parameters = c.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    out += i > 0 ? ", " : "";
    out += parameters[i]->name + ": " + to_string(parameters[i]->form, false);
  }
  out += ") -> " + to_string(c.root()->form, false) + " {\n";
  for (const auto &i : c.instructions()) {
    out += i.get() == c.root() ? "  ROOT " : "  ";
    append_instruction(out, *i);
    out += '\n';
  }
  out += "}\n";
}

void append_aliases(std::string &out, const module &m) {
  if (m.aliases.empty())
    return;
  const bool tuple = m.entry()->root()->form.tuple;
  out += ", input_output_alias={ ";
  for (std::size_t i = 0; i < m.aliases.size(); ++i) {
    const alias &a = m.aliases[i];
    out += i > 0 ? ", {" : "{";
    if (tuple)
      out += std::to_string(a.output_index);
    out += "}: (" + std::to_string(a.parameter_number) + ", {}, ";
    out += a.must ? "must-alias)" : "may-alias)";
  }
  out += " }";
}

void append_entry_layout(std::string &out, const computation &entry) {
  out += ", entry_computation_layout={(";
  const auto parameters = entry.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    out += i > 0 ? ", " : "";
    out += to_string(parameters[i]->form);
  }
  out += ")->" + to_string(entry.root()->form) + "}";
}

} // namespace

std::string print(const instruction &i) {
  std::string out;
  append_instruction(out, i);
  return out;
}

std::string print(const module &m) {
  std::string out = "HloModule " + m.name();
  append_aliases(out, m);
  append_entry_layout(out, *m.entry());
  if (m.num_partitions != 1)
    out += ", num_partitions=" + std::to_string(m.num_partitions);
  out += '\n';
  for (const computation *c : callees_first(m))
    append_computation(out, *c, c == m.entry());
  return out;
}

} // namespace ganglion::hlo
