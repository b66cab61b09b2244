#include "runtime/tokenizer/decoder.hpp"

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/metaspace.hpp"
#include "runtime/tokenizer/token_model.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime {

void decoder_sink::operator()(std::string_view part, bool starts) const {
  owner_.pass(stage_, part, starts);
}

void decoder::pass(std::size_t stage, std::string_view part, bool starts) {
  if (stage == stages_.size()) {
    text_ += part;
    return;
  }
  std::visit(
      [&](auto &s) { s.push(part, starts, decoder_sink(*this, stage + 1)); },
      stages_[stage]);
}

void decoder::finish() {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    std::visit([&](auto &s) { s.finish(decoder_sink(*this, i + 1)); },
               stages_[i]);
}

std::string decoder::bytes_of(std::string_view token) const {
  for (const auto &stage : stages_) {
    std::string out;
    if (std::holds_alternative<byte_level_stage>(stage)) {
      append_token_bytes(out, token);
      return out;
    }
    const int byte = byte_of_token(token);
    if (byte >= 0 && std::holds_alternative<byte_fallback_stage>(stage))
      return {static_cast<char>(byte)};
  }
  return std::string(token);
}

std::string decoder::take() {
  std::string out;
  out.swap(text_);
  return out;
}

namespace {

// Collects stages and knows whether tokens arrive whole at the next one.
class chain_builder {
public:
  void needs_whole_tokens() {
    if (!whole_)
      stages_.push_back(assemble_stage{});
    whole_ = true;
  }
  void add(decoder_stage stage) { stages_.push_back(std::move(stage)); }
  void add_joining(decoder_stage stage) {
    add(std::move(stage));
    whole_ = false;
  }
  decoder build() { return decoder(std::move(stages_)); }

private:
  std::vector<decoder_stage> stages_;
  bool whole_ = true;
};

using reader = void (*)(const json::value &, chain_builder &);

void add_any(const json::value &component, chain_builder &chain);

void add_sequence(const json::value &v, chain_builder &chain) {
  for (const auto &item : v.at("decoders").items())
    add_any(item, chain);
}

void add_byte_level(const json::value &, chain_builder &chain) {
  chain.needs_whole_tokens();
  chain.add_joining(byte_level_stage{});
}

void add_byte_fallback(const json::value &, chain_builder &chain) {
  chain.needs_whole_tokens();
  chain.add(byte_fallback_stage{});
}

void add_fuse(const json::value &, chain_builder &chain) {
  chain.add_joining(fuse_stage{});
}

void add_metaspace(const json::value &v, chain_builder &chain) {
  const auto options = read_metaspace(v);
  metaspace_stage stage;
  stage.mark = options.replacement;
  stage.drop_first = options.scheme != prepend_scheme::never;
  chain.add(std::move(stage));
}

void add_strip(const json::value &v, chain_builder &chain) {
  strip_stage stage;
  const auto content = v.at("content");
  stage.content = content.as_string();
  if (stage.content.empty() ||
      utf8_length(stage.content[0]) != stage.content.size())
    throw error(error_code::invalid_argument, "must be one character",
                content.where(), content.path());
  for (const auto &[key, member] : {std::pair("start", &strip_stage::start),
                                    {"stop", &strip_stage::stop}}) {
    const auto count = v.at(key);
    stage.*member = count.as_int();
    if (stage.*member < 0)
      throw error(error_code::invalid_argument, "must not be negative",
                  count.where(), count.path());
  }
  chain.add(std::move(stage));
}

void add_replace(const json::value &v, chain_builder &chain) {
  replace_stage stage;
  stage.pattern = std::make_shared<const split_pattern>(
      split_pattern::from_json(v.at("pattern")));
  stage.content = v.at("content").as_string();
  if (!stage.pattern->is_single_character())
    chain.needs_whole_tokens();
  chain.add(std::move(stage));
}

const component_maker<reader> makers[] = {
    {"Sequence", [](const json::value &) -> reader { return add_sequence; }},
    {"ByteLevel", [](const json::value &) -> reader { return add_byte_level; }},
    {"ByteFallback",
     [](const json::value &) -> reader { return add_byte_fallback; }},
    {"Fuse", [](const json::value &) -> reader { return add_fuse; }},
    {"Metaspace", [](const json::value &) -> reader { return add_metaspace; }},
    {"Strip", [](const json::value &) -> reader { return add_strip; }},
    {"Replace", [](const json::value &) -> reader { return add_replace; }},
};

void add_any(const json::value &component, chain_builder &chain) {
  make_component(component, makers, "decoder")(component, chain);
}

} // namespace

decoder read_decoder(const json::value &component) {
  chain_builder chain;
  add_any(component, chain);
  return chain.build();
}

decoder make_joining_decoder() { return decoder({join_stage{}}); }

decoder make_byte_level_decoder() { return decoder({byte_level_stage{}}); }

decoder make_sentencepiece_decoder(bool strip_first) {
  const auto mark =
      std::make_shared<const split_pattern>(split_pattern::literal("▁"));
  std::vector<decoder_stage> stages{replace_stage{mark, " "},
                                    byte_fallback_stage{}, fuse_stage{}};
  if (strip_first) {
    strip_stage strip;
    strip.content = " ";
    strip.start = 1;
    stages.push_back(std::move(strip));
  }
  return decoder(std::move(stages));
}

} // namespace ganglion::runtime
