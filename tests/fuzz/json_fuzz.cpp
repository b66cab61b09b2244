// Arbitrary bytes as JSON: refused with `corrupt_data`, or a document that
// reads the same after it is written again, value by value.
#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"
#include "runtime/json/writer.hpp"

#include <cstdlib>

using namespace ganglion;

namespace {

void rewrite(const json::value &v, json::writer &out);

void rewrite_members(const json::value &v, json::writer &out) {
  out.begin_object();
  for (const auto &[key, member] : v.members()) {
    const auto found = v.find(key); // the first of equal keys
    if (!found && !member.is_null())
      std::abort();
    out.key(key);
    rewrite(member, out);
  }
  out.end_object();
}

void rewrite(const json::value &v, json::writer &out) {
  if (v.is_object()) {
    rewrite_members(v, out);
  } else if (v.is_array()) {
    out.begin_array();
    for (const auto &item : v.items())
      rewrite(item, out);
    out.end_array();
  } else if (v.is_string()) {
    out.string(v.as_string_view());
  } else if (v.is_bool()) {
    out.boolean(v.as_bool());
  } else if (v.is_null()) {
    out.null();
  } else if (v.is_integer()) {
    out.raw(v.dump()); // unsigned ones may not fit as_int
  } else {
    out.real(v.as_double());
  }
}

/// Each conversion gives a value or refuses, naming the kind found.
void convert_wrongly(const json::value &v) {
  const auto attempt = [](auto convert) {
    try {
      convert();
    } catch (const error &e) {
      if (e.code() != error_code::invalid_argument)
        std::abort();
    }
  };
  attempt([&] { v.as_bool(); });
  attempt([&] { v.as_int(); });
  attempt([&] { v.as_double(); });
  attempt([&] { v.as_string(); });
  attempt([&] { v.items(); });
  attempt([&] { v.at("inputs"); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size) {
  const std::string_view text(reinterpret_cast<const char *>(data), size);
  try {
    const auto document = json::document::parse(text, "fuzz");
    convert_wrongly(document.root());
    json::writer out;
    rewrite(document.root(), out);
    const auto again = json::document::parse(out.text(), "rewritten");
    if (again.root().dump() != document.root().dump())
      std::abort();
  } catch (const error &e) {
    if (e.code() != error_code::corrupt_data || e.where() != "fuzz")
      std::abort();
  }
  return 0;
}
