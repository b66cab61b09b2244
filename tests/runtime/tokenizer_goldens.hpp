// Compares a tokenizer with what HuggingFace's own made of many texts: the
// cases of one directory of tests/fixtures/tokenizers.
#pragma once

#include "runtime/json/reader.hpp"
#include "runtime/tokenizer/detokenizer.hpp"
#include "runtime/tokenizer/tokenizer.hpp"

#include <boost/test/unit_test.hpp>

#include <fstream>

namespace ganglion::testing {

using id_list = std::vector<std::int32_t>;
using tokenizer_ptr = std::shared_ptr<const runtime::tokenizer>;

inline id_list read_ids(const json::value &list) {
  id_list out;
  for (const auto &id : list.items())
    out.push_back(static_cast<std::int32_t>(id.as_int()));
  return out;
}

/// Calls `check` with each line of a .jsonl file; there must be one.
template <class Check>
void for_each_line(const std::string &path, Check check) {
  std::ifstream file(path);
  int count = 0;
  for (std::string line; std::getline(file, line); ++count) {
    const auto document = json::document::parse(line, path);
    BOOST_TEST_CONTEXT(path << ": " << line.substr(0, 300))
    check(document.root());
  }
  BOOST_TEST(count > 0, path << " has no cases");
}

/// The text that an incremental detokenizer makes of `ids`; each piece must be
/// whole characters, and `pending` must foretell `finish`.
inline std::string stream(const tokenizer_ptr &tokens, const id_list &ids,
                          bool skip_special) {
  runtime::detokenizer detokenizer(tokens, skip_special);
  std::string out;
  for (const auto id : ids) {
    const auto piece = detokenizer.push(id);
    // A continuation byte at the front is the rest of a split character.
    BOOST_TEST((piece.empty() || (piece[0] & 0xC0) != 0x80));
    out += piece;
  }
  const auto pending = detokenizer.pending();
  const auto rest = detokenizer.finish();
  BOOST_TEST(pending == rest);
  return out + rest;
}

inline void check_decode(const tokenizer_ptr &tokens, const json::value &line) {
  const auto ids = read_ids(line.at("ids"));
  const auto all = line.at("decoded").as_string();
  const auto skipped = line.at("decoded_skip_special").as_string();
  BOOST_TEST(tokens->decode(ids, false) == all);
  BOOST_TEST(tokens->decode(ids, true) == skipped);
  BOOST_TEST(stream(tokens, ids, false) == all);
  BOOST_TEST(stream(tokens, ids, true) == skipped);
}

inline void check_encode(const tokenizer_ptr &tokens, const json::value &line) {
  const auto text = line.at("text").as_string();
  BOOST_TEST(tokens->encode(text) == read_ids(line.at("ids")),
             boost::test_tools::per_element());
  BOOST_TEST(tokens->encode(text, false) == read_ids(line.at("ids_no_special")),
             boost::test_tools::per_element());
}

inline void check_stream(const tokenizer_ptr &tokens, const json::value &line) {
  auto ids = read_ids(line.at("ids"));
  const auto prefixes = line.at("decoded_prefixes").items();
  BOOST_REQUIRE(prefixes.size() == ids.size() + 1);
  for (std::size_t k = 0; k < prefixes.size(); ++k) {
    const id_list prefix(ids.begin(), ids.begin() + static_cast<long>(k));
    BOOST_TEST(tokens->decode(prefix, true) == prefixes[k].as_string());
    BOOST_TEST(stream(tokens, prefix, true) == prefixes[k].as_string());
  }
}

/// All cases of `directory` against `tokens`.
inline void check_goldens(const tokenizer_ptr &tokens,
                          const std::string &directory) {
  for_each_line(directory + "/cases.jsonl", [&](const json::value &line) {
    check_encode(tokens, line);
    check_decode(tokens, line);
  });
  for_each_line(directory + "/decode.jsonl",
                [&](const json::value &line) { check_decode(tokens, line); });
  for_each_line(directory + "/stream.jsonl",
                [&](const json::value &line) { check_stream(tokens, line); });
}

} // namespace ganglion::testing
