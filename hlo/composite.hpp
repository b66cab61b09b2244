// Composites: named operations with attributes and a body in plain HLO. A
// device may run one kernel for the name; anyone else inlines the body.
#pragma once

#include "hlo/builder.hpp"

#include <functional>
#include <map>
#include <string>

namespace ganglion::hlo {

/// The attributes of a composite, kept as text that is an MLIR dictionary, as
/// XLA and StableHLO read it; numbers read back exactly.
class composite_attributes {
public:
  composite_attributes &set(const std::string &name, std::int64_t v);
  composite_attributes &set(const std::string &name, double v);
  /// `v` has no quotes or backslashes.
  composite_attributes &set(const std::string &name, const std::string &v);

  /// Throws `invalid_argument` naming an absent or ill-typed attribute.
  std::int64_t integer(const std::string &name) const;
  double real(const std::string &name) const;
  std::string text(const std::string &name) const;
  bool has(const std::string &name) const { return values_.contains(name); }

  /// `{eps = 1.0e-05, groups = 2, type = "f32"}`, names in order; `parse` reads
  /// it back.
  std::string print() const;
  static composite_attributes parse(const std::string &text);

private:
  const std::string &at(const std::string &name) const;
  std::map<std::string, std::string> values_;
};

/// Builds the body of a composite from its parameters; returns the root.
using composite_body = std::function<value(builder &, std::span<const value>)>;

/// Appends a call of the composite `name` (as XLA: a `call` with is_composite
/// and frontend attributes composite.name, .attributes, .version). Calls with
/// the same name, attributes and operand shapes share one body.
value composite(builder &b, const std::string &name,
                const composite_attributes &attributes,
                std::span<const value> operands, const composite_body &body);

/// The name of the composite that `call` stands for.
const std::string &composite_name(const instruction &call);
composite_attributes composite_attributes_of(const instruction &call);

} // namespace ganglion::hlo
