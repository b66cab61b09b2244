#include "benchmarks/model/synthetic_tokenizer.hpp"

#include "runtime/json/writer.hpp"

namespace ganglion::benchmarks {

namespace {

/// The printable character that stands for a byte in byte-level vocabularies:
/// itself where it is visible, U+0100 and up in order for the others.
std::string letter_of(int byte, int &invisible) {
  const bool visible = (byte >= 33 && byte <= 126) ||
                       (byte >= 161 && byte <= 172) || byte >= 174;
  const int point = visible ? byte : 256 + invisible++;
  if (point < 128)
    return {static_cast<char>(point)};
  return {static_cast<char>(0xc0 | point >> 6),
          static_cast<char>(0x80 | (point & 0x3f))};
}

void add_byte_level(json::writer &w) {
  w.begin_object().key("type").string("ByteLevel");
  w.key("add_prefix_space").boolean(false).key("trim_offsets").boolean(true);
  w.key("use_regex").boolean(true).end_object();
}

} // namespace

std::string synthetic_tokenizer(std::int64_t vocab) {
  json::writer w;
  w.begin_object().key("version").string("1.0");
  w.key("added_tokens").begin_array().end_array();
  w.key("normalizer").null().key("pre_tokenizer");
  add_byte_level(w);
  w.key("post_processor").null().key("decoder");
  add_byte_level(w);
  w.key("model").begin_object().key("type").string("BPE");
  w.key("vocab").begin_object();
  int invisible = 0;
  for (int byte = 0; byte < 256; ++byte)
    w.key(letter_of(byte, invisible)).integer(byte);
  for (std::int64_t id = least_byte_vocabulary; id < vocab; ++id)
    w.key("w" + std::to_string(id)).integer(id);
  w.end_object().key("merges").begin_array().end_array().end_object();
  return w.end_object().text();
}

} // namespace ganglion::benchmarks
