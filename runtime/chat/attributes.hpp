// Members, elements and slices of values.
#pragma once

#include "runtime/chat/rendering.hpp"

namespace ganglion::runtime::chat {

/// v.name: a method or, of a dictionary, an entry; undefined otherwise.
value member_of(rendering &run, const value &v, std::string_view name);
/// v[key]: an entry, an element or, by name, a method; undefined otherwise.
value element_of(rendering &run, const value &v, const value &key);
/// v[from:to:step]; null parts are left out.
value slice_of(rendering &run, const value &v, const value *from,
               const value *to, const value *step);
/// Follows "a.b.0" or a number, as filters take it; `fallback` replaces what
/// is undefined unless it is itself.
value by_path(rendering &run, const value &v, const value &path,
              const value &fallback);

} // namespace ganglion::runtime::chat
