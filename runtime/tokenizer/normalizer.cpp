#include "runtime/tokenizer/normalizer.hpp"

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/precompiled_charsmap.hpp"
#include "runtime/tokenizer/split_pattern.hpp"
#include "runtime/tokenizer/unicode.hpp"
#include "runtime/tokenizer/utf8.hpp"

#include <optional>

namespace ganglion::runtime {

namespace {

class sequence_normalizer final : public normalizer {
public:
  explicit sequence_normalizer(std::vector<normalizer_ptr> steps)
      : steps_(std::move(steps)) {}
  void apply(std::string &text) const override {
    for (const auto &step : steps_)
      step->apply(text);
  }

private:
  std::vector<normalizer_ptr> steps_;
};

class prepend_normalizer final : public normalizer {
public:
  explicit prepend_normalizer(std::string text) : text_(std::move(text)) {}
  void apply(std::string &text) const override {
    if (!text.empty())
      text.insert(0, text_);
  }

private:
  std::string text_;
};

class replace_normalizer final : public normalizer {
public:
  replace_normalizer(split_pattern pattern, std::string content)
      : pattern_(std::move(pattern)),
        content_(std::move(content)) {}
  void apply(std::string &text) const override {
    text = pattern_.replace(text, content_);
  }

private:
  split_pattern pattern_;
  std::string content_;
};

class form_normalizer final : public normalizer {
public:
  explicit form_normalizer(normal_form form) : form_(form) {}
  void apply(std::string &text) const override { normalize(text, form_); }

private:
  normal_form form_;
};

class precompiled_normalizer final : public normalizer {
public:
  explicit precompiled_normalizer(precompiled_charsmap map)
      : map_(std::move(map)) {}
  void apply(std::string &text) const override { text = map_.apply(text); }

private:
  precompiled_charsmap map_;
};

class byte_level_normalizer final : public normalizer {
public:
  void apply(std::string &text) const override {
    text = bytes_to_characters(text);
  }
};

// Rewrites character by character: `append` adds what becomes of one.
class character_normalizer final : public normalizer {
public:
  using function = void (*)(std::string &out, char32_t value);
  explicit character_normalizer(function append) : append_(append) {}
  void apply(std::string &text) const override {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
      const auto step = next_code_point(std::string_view(text).substr(i));
      append_(out, step.value);
      i += step.length;
    }
    text = std::move(out);
  }

private:
  function append_;
};

void append_unless_mark(std::string &out, char32_t value) {
  if (!is_mark(value))
    append_utf8(out, value);
}

class strip_normalizer final : public normalizer {
public:
  strip_normalizer(bool left, bool right) : left_(left), right_(right) {}
  void apply(std::string &text) const override {
    std::size_t first = std::string::npos, last = 0;
    for (std::size_t i = 0; i < text.size();) {
      const auto step = next_code_point(std::string_view(text).substr(i));
      if (!is_space(step.value)) {
        first = std::min(first, i);
        last = i + step.length;
      }
      i += step.length;
    }
    if (first == std::string::npos) {
      if (left_ || right_)
        text.clear();
      return;
    }
    if (right_)
      text.resize(last);
    if (left_)
      text.erase(0, first);
  }

private:
  bool left_, right_;
};

normalizer_ptr read_sequence(const json::value &v) {
  std::vector<normalizer_ptr> steps;
  for (const auto &item : v.at("normalizers").items())
    steps.push_back(make_normalizer(item));
  return make_normalizer_sequence(std::move(steps));
}

normalizer_ptr read_replace(const json::value &v) {
  return std::make_shared<replace_normalizer>(
      split_pattern::from_json(v.at("pattern")), v.at("content").as_string());
}

normalizer_ptr read_strip(const json::value &v) {
  return std::make_shared<strip_normalizer>(v.at("strip_left").as_bool(),
                                            v.at("strip_right").as_bool());
}

normalizer_ptr read_precompiled(const json::value &v) {
  const auto map = v.at("precompiled_charsmap");
  return std::make_shared<precompiled_normalizer>(
      precompiled_charsmap::from_base64(map.as_string_view(), map.where(),
                                        map.path()));
}

template <normal_form Form>
normalizer_ptr read_form(const json::value &) {
  return std::make_shared<form_normalizer>(Form);
}

template <character_normalizer::function Append>
normalizer_ptr read_character(const json::value &) {
  return std::make_shared<character_normalizer>(Append);
}

const component_maker<normalizer_ptr> makers[] = {
    {"Sequence", read_sequence},
    {"Prepend",
     [](const json::value &v) {
       return make_prepend(v.at("prepend").as_string());
     }},
    {"Replace", read_replace},
    {"NFC", read_form<normal_form::nfc>},
    {"NFD", read_form<normal_form::nfd>},
    {"NFKC", read_form<normal_form::nfkc>},
    {"NFKD", read_form<normal_form::nfkd>},
    {"Lowercase", read_character<append_lower>},
    {"StripAccents", read_character<append_unless_mark>},
    {"Strip", read_strip},
    {"Precompiled", read_precompiled},
    {"ByteLevel",
     [](const json::value &) -> normalizer_ptr {
       return std::make_shared<byte_level_normalizer>();
     }},
};

} // namespace

normalizer_ptr make_normalizer(const json::value &component) {
  return make_component(component, makers, "normalizer");
}

normalizer_ptr make_prepend(std::string text) {
  return std::make_shared<prepend_normalizer>(std::move(text));
}

normalizer_ptr make_replace(std::string from, std::string to) {
  return std::make_shared<replace_normalizer>(
      split_pattern::literal(std::move(from)), std::move(to));
}

normalizer_ptr make_normalizer_sequence(std::vector<normalizer_ptr> steps) {
  return std::make_shared<sequence_normalizer>(std::move(steps));
}

} // namespace ganglion::runtime
