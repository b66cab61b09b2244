#include "runtime/tokenizer/regex.hpp"

#include "hlo/support/error.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <oniguruma.h>

#include <optional>

namespace ganglion::runtime {

namespace {

void initialize_once() {
  static const int status = [] {
    OnigEncoding encodings[] = {ONIG_ENCODING_UTF8};
    return onig_initialize(encodings, 1);
  }();
  require(status == ONIG_NORMAL, "Oniguruma does not initialise");
}

std::string reason_for(int code, OnigErrorInfo *info = nullptr) {
  OnigUChar text[ONIG_MAX_ERROR_MESSAGE_LEN];
  const int length = onig_error_code_to_str(text, code, info);
  return {reinterpret_cast<char *>(text), static_cast<std::size_t>(length)};
}

const OnigUChar *bytes(const char *text) {
  return reinterpret_cast<const OnigUChar *>(text);
}

std::optional<span_of_text> search(regex_t *compiled, std::string_view text,
                                   std::size_t from, OnigRegion *region,
                                   const std::string &pattern) {
  const auto *begin = bytes(text.data());
  const auto *end = begin + text.size();
  const int at = onig_search(compiled, begin, end, begin + from, end, region,
                             ONIG_OPTION_NONE);
  if (at == ONIG_MISMATCH)
    return std::nullopt;
  if (at < 0)
    throw error(error_code::invalid_argument,
                "the text cannot be split: " + reason_for(at), pattern);
  return span_of_text(region->beg[0], region->end[0]);
}

// Code points by class. The lookup must be quick for every character of a
// prompt: one byte each, 1.1 MB, made on first use.
class class_table {
public:
  class_table() : classes_(0x110000, char_class::other) {
    initialize_once();
    fill("L", char_class::letter);
    fill("N", char_class::number);
    fill("space", char_class::space);
  }
  char_class operator[](char32_t value) const {
    return value < classes_.size() ? classes_[value] : char_class::other;
  }

private:
  void fill(std::string_view property, char_class kind) {
    auto *encoding = ONIG_ENCODING_UTF8;
    auto *name = const_cast<OnigUChar *>(bytes(property.data()));
    const int type =
        ONIGENC_PROPERTY_NAME_TO_CTYPE(encoding, name, name + property.size());
    const OnigCodePoint *ranges = nullptr;
    OnigCodePoint single_byte_end = 0;
    require(type >= 0 && ONIGENC_GET_CTYPE_CODE_RANGE(
                             encoding, static_cast<OnigCtype>(type),
                             &single_byte_end, &ranges) == 0,
            "Oniguruma lacks a character property");
    for (OnigCodePoint i = 0; i < ranges[0]; ++i)
      for (auto c = ranges[1 + 2 * i]; c <= ranges[2 + 2 * i]; ++c)
        if (c < classes_.size())
          classes_[c] = kind;
  }

  std::vector<char_class> classes_;
};

} // namespace

regex::regex(const std::string &pattern, const std::string &where,
             const std::string &field)
    : pattern_(pattern) {
  initialize_once();
  regex_t *compiled = nullptr;
  OnigErrorInfo info{};
  const auto *begin = bytes(pattern.data());
  const int status =
      onig_new(&compiled, begin, begin + pattern.size(), ONIG_OPTION_NONE,
               ONIG_ENCODING_UTF8, ONIG_SYNTAX_DEFAULT, &info);
  if (status != ONIG_NORMAL)
    throw error(error_code::invalid_argument,
                "not a pattern that Oniguruma accepts: " +
                    reason_for(status, &info),
                where, field);
  compiled_ = std::shared_ptr<void>(
      compiled, [](void *p) { onig_free(static_cast<regex_t *>(p)); });
}

std::vector<span_of_text> regex::find_all(std::string_view text) const {
  auto *compiled = static_cast<regex_t *>(compiled_.get());
  const std::unique_ptr<OnigRegion, void (*)(OnigRegion *)> region(
      onig_region_new(), [](OnigRegion *r) { onig_region_free(r, 1); });
  std::vector<span_of_text> out;
  std::size_t from = 0;
  while (from <= text.size()) {
    const auto found = search(compiled, text, from, region.get(), pattern_);
    if (!found)
      break;
    const bool empty = found->first == found->second;
    if (empty && !out.empty() && out.back().second == found->second) {
      from += from < text.size() ? utf8_length(text[from]) : 1;
      continue;
    }
    out.push_back(*found);
    from = found->second;
  }
  return out;
}

char_class class_of(char32_t value) {
  static const class_table table;
  return table[value];
}

} // namespace ganglion::runtime
