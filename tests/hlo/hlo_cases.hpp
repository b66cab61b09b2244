// Graphs that tests read from tests/cases/hlo, and short ways to parse and to
// see what is refused.
#pragma once

#include "hlo/support/error.hpp"
#include "hlo/text/parser.hpp"
#include "hlo/text/printer.hpp"
#include "tests/fixtures.hpp"

#include <fstream>
#include <sstream>
#include <string>

namespace ganglion::testing {

inline std::string read_case(const std::string &name) {
  std::ifstream in(source_dir() + "/tests/cases/hlo/" + name);
  if (!in)
    throw error(error_code::not_found, "no such case", name);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// What `action` throws, in one line; empty when it throws nothing.
template <class F>
std::string refusal(F action) {
  try {
    action();
    return {};
  } catch (const error &e) {
    return e.describe();
  }
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

/// A module around the instruction lines of one entry computation.
inline std::string in_module(const std::string &lines,
                             const std::string &before = {}) {
  return "HloModule m\n" + before + "\nENTRY %main {\n" + lines + "\n}\n";
}

} // namespace ganglion::testing
