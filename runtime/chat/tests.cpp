#include "runtime/chat/tests.hpp"

#include "runtime/chat/binding.hpp"
#include "runtime/chat/filters.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/splitting.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>

namespace ganglion::runtime::chat {

namespace {

template <auto Holds>
bool of_kind(rendering &run, const value &v, const arguments &given) {
  const binding none(run, "test", given, {});
  return Holds(v);
}

bool is_defined(const value &v) { return !v.is_undefined(); }
bool is_missing(const value &v) { return v.is_undefined(); }
bool is_none(const value &v) { return v.is_none(); }
bool is_boolean(const value &v) { return v.is_bool(); }
bool is_integer(const value &v) { return v.is_integer(); }
bool is_float(const value &v) { return v.is_real(); }
bool is_number(const value &v) { return v.is_number(); }
bool is_string(const value &v) { return v.is_string(); }
bool is_mapping(const value &v) { return v.is_dict(); }
bool is_callable(const value &v) {
  return v.is_object() && v.as_object().callable();
}
bool is_escaped(const value &) { return false; }
bool is_really_true(const value &v) { return v.is_bool() && v.as_bool(); }
bool is_really_false(const value &v) { return v.is_bool() && !v.as_bool(); }
bool is_iterable(const value &v) {
  return v.is_string() || v.is_dict() || v.is_sequence() || v.is_undefined() ||
         (v.is_object() && v.as_object().remaining());
}
bool has_elements(const value &v) {
  return v.is_string() || v.is_dict() || v.is_undefined() ||
         (v.is_sequence() && v.as_sequence().kind <= sequence_kind::range);
}

// The remainder by 2, with arithmetic's errors.
value half_rest(rendering &run, const value &v) {
  return arithmetic(run, v, "%", 2);
}

bool is_odd(rendering &run, const value &v, const arguments &) {
  return equal(run, half_rest(run, v), 1);
}

bool is_even(rendering &run, const value &v, const arguments &) {
  return equal(run, half_rest(run, v), 0);
}

bool is_divisible(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "divisibleby", given, {"num"});
  return equal(run, arithmetic(run, v, "%", args.required(0)), 0);
}

template <const char *Symbol>
bool compares(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "test", given, {"other"});
  return compare(run, v, Symbol, args.required(0));
}

constexpr char eq[] = "==", ne[] = "!=", lt[] = "<", le[] = "<=", gt[] = ">",
               ge[] = ">=", in[] = "in";

bool is_same(rendering &run, const value &v, const arguments &given) {
  const binding args(run, "sameas", given, {"other"});
  return type_name(v) == type_name(args.required(0)) &&
         equal(run, v, args.required(0));
}

template <bool Upper>
bool in_case(rendering &run, const value &v, const arguments &) {
  return is_in_case(to_text(run, v), Upper);
}

bool names_filter(rendering &, const value &v, const arguments &) {
  return v.is_string() && find_filter(v.as_string());
}

bool names_test(rendering &, const value &v, const arguments &) {
  return v.is_string() && find_test(v.as_string());
}

constexpr test_entry all_tests[] = {
    {"!=", compares<ne>},
    {"<", compares<lt>},
    {"<=", compares<le>},
    {"==", compares<eq>},
    {">", compares<gt>},
    {">=", compares<ge>},
    {"boolean", of_kind<is_boolean>},
    {"callable", of_kind<is_callable>},
    {"defined", of_kind<is_defined>},
    {"divisibleby", is_divisible},
    {"eq", compares<eq>},
    {"equalto", compares<eq>},
    {"escaped", of_kind<is_escaped>},
    {"even", is_even},
    {"false", of_kind<is_really_false>},
    {"filter", names_filter},
    {"float", of_kind<is_float>},
    {"ge", compares<ge>},
    {"greaterthan", compares<gt>},
    {"gt", compares<gt>},
    {"in", compares<in>},
    {"integer", of_kind<is_integer>},
    {"iterable", of_kind<is_iterable>},
    {"le", compares<le>},
    {"lessthan", compares<lt>},
    {"lower", in_case<false>},
    {"lt", compares<lt>},
    {"mapping", of_kind<is_mapping>},
    {"ne", compares<ne>},
    {"none", of_kind<is_none>},
    {"number", of_kind<is_number>},
    {"odd", is_odd},
    {"sameas", is_same},
    {"sequence", of_kind<has_elements>},
    {"string", of_kind<is_string>},
    {"test", names_test},
    {"true", of_kind<is_really_true>},
    {"undefined", of_kind<is_missing>},
    {"upper", in_case<true>},
};

} // namespace

const test_entry *find_test(std::string_view name) {
  const auto found = std::ranges::find(all_tests, name, &test_entry::name);
  return found == std::end(all_tests) ? nullptr : &*found;
}

const test_entry &require_test(std::string_view name, std::size_t line) {
  if (const auto *found = find_test(name))
    return *found;
  throw chat_error(failure::syntax,
                   "No test named '" + std::string(name) + "'.", line);
}

} // namespace ganglion::runtime::chat
