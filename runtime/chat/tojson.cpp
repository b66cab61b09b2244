#include "runtime/chat/tojson.hpp"

#include "runtime/chat/operators.hpp"
#include "runtime/chat/value_text.hpp"
#include "runtime/json/writer.hpp"

#include <algorithm>
#include <cmath>

namespace ganglion::runtime::chat {

namespace {

class json_output {
public:
  json_output(rendering &run, const json_style &style)
      : run_(run),
        style_(style) {}

  void write(const value &v) {
    run_.step();
    const rendering::level level(run_);
    if (v.is_string())
      write_text(v.as_string());
    else if (v.is_sequence() && v.as_sequence().kind <= sequence_kind::tuple)
      write_list(v.items());
    else if (v.is_dict())
      write_dict(v.as_dict());
    else if (v.is_none() || v.is_number())
      run_.emit(out, scalar(v));
    else
      run_.fail(failure::type,
                "Object of type " + type_name(v) + " is not JSON serializable");
  }

  std::string out;

private:
  void write_text(const std::string &text) {
    run_.scan(text.size());
    run_.emit(out, json::quote(text));
  }

  std::string scalar(const value &v) const {
    if (v.is_none())
      return "null";
    if (v.is_bool())
      return v.as_bool() ? "true" : "false";
    if (v.is_integer())
      return std::to_string(v.as_integer());
    if (std::isnan(v.as_real()))
      return "NaN";
    if (std::isinf(v.as_real()))
      return v.as_real() < 0 ? "-Infinity" : "Infinity";
    return real_text(v.as_real());
  }

  void line_break() {
    if (!style_.indent)
      return;
    run_.emit(out, "\n");
    for (std::size_t i = 0; i < depth_; ++i)
      run_.emit(out, *style_.indent);
  }

  template <class Items, class Write>
  void write_all(const char *brackets, const Items &items, Write write_one) {
    run_.emit(out, {brackets, 1});
    ++depth_;
    bool first = true;
    for (const auto &item : items) {
      if (!first)
        run_.emit(out, style_.item_separator);
      first = false;
      line_break();
      write_one(item);
    }
    --depth_;
    if (!first)
      line_break();
    run_.emit(out, {brackets + 1, 1});
  }

  void write_list(const std::vector<value> &items) {
    write_all("[]", items, [this](const value &item) { write(item); });
  }

  void write_dict(const dictionary &all) {
    std::vector<const value::entry *> entries;
    for (const auto &entry : all.entries)
      entries.push_back(&entry);
    if (style_.sort_keys)
      std::ranges::stable_sort(entries, [this](const auto *a, const auto *b) {
        return less(run_, a->first, b->first);
      });
    write_all("{}", entries, [this](const value::entry *entry) {
      const auto &[key, item] = *entry;
      if (!key.is_string() && !key.is_none() && !key.is_number())
        run_.fail(failure::type, "keys must be str, int, float, bool or None, "
                                 "not " +
                                     type_name(key));
      write_text(key.is_string() ? key.as_string() : scalar(key));
      run_.emit(out, style_.key_separator);
      write(item);
    });
  }

  rendering &run_;
  const json_style &style_;
  std::size_t depth_ = 0;
};

} // namespace

std::string to_json(rendering &run, const value &v, const json_style &style) {
  json_output text(run, style);
  text.write(v);
  return std::move(text.out);
}

} // namespace ganglion::runtime::chat
