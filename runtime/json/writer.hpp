// Writes JSON text in the style of Python's json.dumps (", " and ": "), which
// is what the LMI contract's bytes look like.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ganglion::json {

/// `text` as a JSON string with quotes. Non-ASCII characters stay as they are
/// (ensure_ascii=False); control characters are escaped.
std::string quote(std::string_view text);

/// The shortest decimal form that reads back as `number`; "null" when it is
/// not finite. Whole numbers keep a ".0", as Python prints floats.
std::string number(double value);

/// Builds one JSON text left to right. Misuse (a value without its key) is a
/// programming error and is not detected.
class writer {
public:
  writer &begin_object() { return open('{'); }
  writer &end_object() { return close('}'); }
  writer &begin_array() { return open('['); }
  writer &end_array() { return close(']'); }
  writer &key(std::string_view name);
  writer &string(std::string_view text) { return raw(quote(text)); }
  writer &real(double value) { return raw(number(value)); }
  writer &integer(std::int64_t value) { return raw(std::to_string(value)); }
  writer &boolean(bool value) { return raw(value ? "true" : "false"); }
  writer &null() { return raw("null"); }
  /// Text that is JSON already.
  writer &raw(std::string_view text);

  const std::string &text() const { return text_; }

private:
  writer &open(char bracket);
  writer &close(char bracket);
  void separate();

  std::string text_;
  bool first_ = true;
};

} // namespace ganglion::json
