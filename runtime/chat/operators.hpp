// Truth, equality, order and arithmetic of values.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

bool is_true(const value &v);
/// Throws `failure::undefined` or `security` with the value's own message if
/// it is undefined.
void require_defined(rendering &run, const value &v);
bool equal(rendering &run, const value &a, const value &b);
/// a < b; `symbol` is for the message when they have no order.
bool less(rendering &run, const value &a, const value &b,
          std::string_view symbol = "<");
/// `==`, `<`, `in`, ...
bool compare(rendering &run, const value &a, std::string_view symbol,
             const value &b);
bool contains(rendering &run, const value &all, const value &item);
/// `+`, `-`, `*`, `/`, `//`, `%`, `**`.
value arithmetic(rendering &run, const value &a, std::string_view symbol,
                 const value &b);
value negative(rendering &run, const value &v);

/// The items that walking over `v` gives: characters, keys, elements.
/// Uses up a generator. Throws `failure::type` when there are none.
std::vector<value> items_of(rendering &run, const value &v);
/// len(v)
std::int64_t length_of(rendering &run, const value &v);
/// A number as a double; needs is_number().
double as_double(const value &v);
/// A number without a fraction: of a bool or an integer.
bool is_whole(const value &v);
std::int64_t as_whole(const value &v);

} // namespace ganglion::runtime::chat
