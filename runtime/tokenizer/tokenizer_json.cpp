// Reads a tokenizer.json. Its "truncation" and "padding" are not used: they
// describe the last call someone made, and HuggingFace sets them anew.
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"
#include "runtime/tokenizer/tokenizer_parts.hpp"

namespace ganglion::runtime {

namespace {

void read_added_tokens(const json::value &list, tokenizer_parts &out) {
  for (const auto &item : list.items()) {
    const auto token = read_added_token(item);
    const auto stated = item.at("id").as_int();
    const auto id = out.added.add(token, out.model->tokens());
    if (id >= 0 && id != stated)
      log::warn("{}: {}: '{}' has the id {}, not {}", item.where(), item.path(),
                token.content, id, stated);
  }
}

} // namespace

tokenizer_parts read_tokenizer_json(const json::value &root) {
  tokenizer_parts out;
  out.model = make_token_model(root.at("model"));
  if (const auto v = root.find("normalizer"))
    out.normalize = make_normalizer(*v);
  if (const auto v = root.find("pre_tokenizer"))
    out.split = make_pre_tokenizer(*v);
  if (const auto v = root.find("post_processor"))
    out.around = read_post_processor(*v);
  if (const auto v = root.find("decoder"))
    out.fresh_decoder = read_decoder(*v);
  if (const auto v = root.find("added_tokens"))
    read_added_tokens(*v, out);
  return out;
}

} // namespace ganglion::runtime
