#include "runtime/tokenizer/pre_tokenizer.hpp"

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/metaspace.hpp"
#include "runtime/tokenizer/split_pattern.hpp"
#include "runtime/tokenizer/unicode.hpp"

#include <optional>

namespace ganglion::runtime {

namespace {

void append_pieces(const pre_token &word,
                   const std::vector<span_of_text> &spans,
                   std::vector<pre_token> &out) {
  for (const auto &[begin, end] : spans)
    if (begin != end)
      out.push_back(
          {word.text.substr(begin, end - begin), word.at_start && begin == 0});
}

// Cuts each word by the spans that `cut` finds in its text.
template <class Cut>
void cut_each(std::vector<pre_token> &words, Cut cut) {
  std::vector<pre_token> out;
  out.reserve(words.size());
  for (const auto &word : words)
    append_pieces(word, cut(word.text), out);
  words = std::move(out);
}

class sequence_step final : public pre_tokenizer {
public:
  explicit sequence_step(std::vector<pre_tokenizer_ptr> steps)
      : steps_(std::move(steps)) {}
  void apply(std::vector<pre_token> &words) const override {
    for (const auto &step : steps_)
      step->apply(words);
  }

private:
  std::vector<pre_tokenizer_ptr> steps_;
};

class split_step final : public pre_tokenizer {
public:
  split_step(split_pattern pattern, split_behavior behavior, bool invert)
      : pattern_(std::move(pattern)),
        behavior_(behavior),
        invert_(invert) {}
  void apply(std::vector<pre_token> &words) const override {
    cut_each(words, [this](const std::string &text) {
      auto parts = pattern_.parts(text);
      if (invert_)
        for (auto &part : parts)
          part.is_match = !part.is_match;
      return split(parts, behavior_);
    });
  }

private:
  split_pattern pattern_;
  split_behavior behavior_;
  bool invert_;
};

class character_step final : public pre_tokenizer {
public:
  character_step(bool (*test)(char32_t), split_behavior behavior)
      : test_(test),
        behavior_(behavior) {}
  void apply(std::vector<pre_token> &words) const override {
    cut_each(words, [this](const std::string &text) {
      return split(character_parts(text, test_), behavior_);
    });
  }

private:
  bool (*test_)(char32_t);
  split_behavior behavior_;
};

class byte_level_step final : public pre_tokenizer {
public:
  byte_level_step(bool add_prefix_space, bool use_regex)
      : add_prefix_space_(add_prefix_space) {
    if (use_regex)
      pattern_ = split_pattern::expression(std::string(gpt2_pattern), {}, {});
  }
  void apply(std::vector<pre_token> &words) const override {
    if (add_prefix_space_)
      for (auto &word : words)
        if (word.text[0] != ' ')
          word.text.insert(0, 1, ' ');
    if (pattern_)
      cut_each(words, [this](const std::string &text) {
        return split(pattern_->parts(text), split_behavior::isolated);
      });
    for (auto &word : words)
      word.text = bytes_to_characters(word.text);
  }

private:
  bool add_prefix_space_;
  std::optional<split_pattern> pattern_;
};

class metaspace_step final : public pre_tokenizer {
public:
  explicit metaspace_step(metaspace_options options)
      : options_(std::move(options)),
        space_(split_pattern::literal(" ")),
        mark_(split_pattern::literal(options_.replacement)) {}
  void apply(std::vector<pre_token> &words) const override {
    for (auto &word : words) {
      word.text = space_.replace(word.text, options_.replacement);
      if (prepends_to(word) && !word.text.starts_with(options_.replacement))
        word.text.insert(0, options_.replacement);
    }
    if (options_.split)
      cut_each(words, [this](const std::string &text) {
        return split(mark_.parts(text), split_behavior::merged_with_next);
      });
  }

private:
  bool prepends_to(const pre_token &word) const {
    return options_.scheme == prepend_scheme::always ||
           (options_.scheme == prepend_scheme::first && word.at_start);
  }

  metaspace_options options_;
  split_pattern space_, mark_;
};

pre_tokenizer_ptr read_sequence(const json::value &v) {
  std::vector<pre_tokenizer_ptr> steps;
  for (const auto &item : v.at("pretokenizers").items())
    steps.push_back(make_pre_tokenizer(item));
  return std::make_shared<sequence_step>(std::move(steps));
}

pre_tokenizer_ptr read_byte_level(const json::value &v) {
  return std::make_shared<byte_level_step>(v.get_bool("add_prefix_space", true),
                                           v.get_bool("use_regex", true));
}

pre_tokenizer_ptr read_split(const json::value &v) {
  return std::make_shared<split_step>(split_pattern::from_json(v.at("pattern")),
                                      split_behavior_from(v.at("behavior")),
                                      v.get_bool("invert", false));
}

pre_tokenizer_ptr read_digits(const json::value &v) {
  return std::make_shared<character_step>(is_numeric,
                                          v.get_bool("individual_digits", false)
                                              ? split_behavior::isolated
                                              : split_behavior::contiguous);
}

pre_tokenizer_ptr read_punctuation(const json::value &v) {
  const auto behavior = v.find("behavior");
  return std::make_shared<character_step>(
      is_punctuation,
      behavior ? split_behavior_from(*behavior) : split_behavior::isolated);
}

pre_tokenizer_ptr read_whitespace(const json::value &v) {
  return std::make_shared<split_step>(
      split_pattern::expression(R"(\w+|[^\w\s]+)", v.where(), v.path()),
      split_behavior::removed, true);
}

pre_tokenizer_ptr read_whitespace_split(const json::value &) {
  return std::make_shared<character_step>(is_space, split_behavior::removed);
}

const component_maker<pre_tokenizer_ptr> makers[] = {
    {"Sequence", read_sequence},
    {"ByteLevel", read_byte_level},
    {"Split", read_split},
    {"Digits", read_digits},
    {"Punctuation", read_punctuation},
    {"Whitespace", read_whitespace},
    {"WhitespaceSplit", read_whitespace_split},
    {"Metaspace",
     [](const json::value &v) -> pre_tokenizer_ptr {
       return std::make_shared<metaspace_step>(read_metaspace(v));
     }},
};

} // namespace

pre_tokenizer_ptr make_pre_tokenizer(const json::value &component) {
  return make_component(component, makers, "pre-tokenizer");
}

pre_tokenizer_ptr make_byte_level_pre_tokenizer(bool add_prefix_space) {
  return std::make_shared<byte_level_step>(add_prefix_space, true);
}

pre_tokenizer_ptr make_first_metaspace() {
  return std::make_shared<metaspace_step>(
      metaspace_options{"▁", prepend_scheme::first, false});
}

} // namespace ganglion::runtime
