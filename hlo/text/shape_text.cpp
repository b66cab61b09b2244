#include "hlo/text/shape_text.hpp"

#include "hlo/text/number_text.hpp"

namespace ganglion::hlo::text {

namespace {

constexpr int max_tuple_depth = 8;
constexpr std::size_t max_tuple_elements = 65536;

/// A brace after a shape opens a layout only if a digit follows at once;
/// otherwise it opens the body of a computation.
bool at_layout(lexer &in) {
  for (char digit = '0'; digit <= '9'; ++digit) {
    const char layout[] = {'{', digit};
    if (in.peek(std::string_view(layout, 2)))
      return true;
  }
  return false;
}

dims read_layout(lexer &in) {
  in.expect("{");
  dims order;
  do
    order.push_back(in.integer());
  while (in.accept(","));
  if (in.peek(":"))
    in.fail("tiled layouts and memory spaces are not supported");
  in.expect("}");
  return order;
}

shape read_array(lexer &in) {
  const std::size_t place = in.place();
  const std::string_view word = in.name();
  const auto type = element_type_from(word);
  if (!type)
    in.fail_at(place, "unknown element type '" + std::string(word) + "'");
  in.expect("[");
  shape out = array_shape(*type, in.integers_until(']'));
  if (at_layout(in))
    out.minor_to_major = read_layout(in);
  return out;
}

shape read_nested(lexer &in, int depth) {
  if (!in.accept("("))
    return read_array(in);
  if (depth == 0)
    in.fail("tuples nest too deeply");
  std::vector<shape> elements;
  if (in.accept(")"))
    return tuple_shape({});
  do {
    if (elements.size() == max_tuple_elements)
      in.fail("tuple of too many elements");
    elements.push_back(read_nested(in, depth - 1));
  } while (in.accept(","));
  in.expect(")");
  return tuple_shape(std::move(elements));
}

void append_dimension(std::string &out, const literal_view &v, std::size_t d,
                      std::int64_t &at) {
  const dims &sizes = v.form->dimensions;
  if (d == sizes.size()) {
    append_element(out, v, at++);
    return;
  }
  const bool innermost = d + 1 == sizes.size();
  out += innermost ? "{" : "{ ";
  for (std::int64_t i = 0; i < sizes[d]; ++i) {
    if (i > 0)
      out += ", ";
    append_dimension(out, v, d + 1, at);
  }
  out += innermost ? "}" : " }";
}

void read_dimension(lexer &in, const literal_view &v, std::size_t d,
                    std::int64_t &at) {
  const dims &sizes = v.form->dimensions;
  if (d == sizes.size()) {
    const std::size_t place = in.place();
    const std::string_view token = in.number();
    if (!read_element(token, v, at++))
      in.fail_at(place, "'" + std::string(token) + "' is no value of type " +
                            std::string(to_string(v.form->type)));
    return;
  }
  in.expect("{");
  for (std::int64_t i = 0; i < sizes[d]; ++i) {
    if (i > 0)
      in.expect(",");
    read_dimension(in, v, d + 1, at);
  }
  in.expect("}");
}

/// Without elements any arrangement of braces says the same.
void skip_empty_braces(lexer &in) {
  const std::size_t place = in.place();
  const std::string_view inside = in.braced();
  if (inside.find_first_not_of("{}, \n\t\r") != std::string_view::npos)
    in.fail_at(place, "value given for an array without elements");
}

} // namespace

shape read_shape(lexer &in) {
  const std::size_t place = in.place();
  shape out = read_nested(in, max_tuple_depth);
  if (!is_well_formed(out))
    in.fail_at(place, "shape " + to_string(out) +
                          " is too large, negative or has a wrong layout");
  return out;
}

bool at_shape(lexer &in) {
  if (in.peek("("))
    return true;
  if (!in.at_name())
    return false;
  lexer ahead = in;
  ahead.name();
  return ahead.peek("[");
}

void append_literal(std::string &out, const literal &value) {
  if (value.form().size() == 0) {
    out += "{}";
    return;
  }
  std::int64_t at = 0;
  append_dimension(out, value.view(), 0, at);
}

literal read_literal(lexer &in, const shape &form, std::size_t &budget) {
  if (form.tuple)
    in.fail("constant tuples are not supported");
  // Each element takes at least one character: a short text cannot ask for
  // much memory.
  if (static_cast<std::size_t>(form.size()) > in.remaining())
    in.fail("fewer values than the shape " + to_string(form) + " needs");
  if (form.bytes() > budget)
    in.fail("constants take too much memory");
  budget -= form.bytes();
  literal out(form);
  std::int64_t at = 0;
  if (form.size() == 0)
    skip_empty_braces(in);
  else
    read_dimension(in, out.view(), 0, at);
  return out;
}

} // namespace ganglion::hlo::text
