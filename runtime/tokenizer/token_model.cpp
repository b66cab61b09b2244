#include "runtime/tokenizer/token_model.hpp"

#include "runtime/tokenizer/bpe_model.hpp"
#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/unigram_model.hpp"

namespace ganglion::runtime {

namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const component_maker<token_model_ptr> makers[] = {
    {"BPE", read_bpe_model},
    {"Unigram", read_unigram_model},
};

} // namespace

token_model_ptr make_token_model(const json::value &component) {
  // Files from before the models had types hold BPE with "merges".
  if (!component.find("type") && component.find("merges"))
    return read_bpe_model(component);
  return make_component(component, makers, "model");
}

std::array<std::int32_t, 256> byte_token_ids(const vocabulary &tokens) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::array<std::int32_t, 256> out{};
  for (std::size_t b = 0; b < out.size(); ++b)
    out[b] =
        tokens.find(std::string("<0x") + digits[b >> 4] + digits[b & 15] + ">");
  return out;
}

bool append_byte_tokens(const std::array<std::int32_t, 256> &ids,
                        std::string_view text, std::vector<std::int32_t> &out) {
  for (const char c : text)
    if (ids[static_cast<unsigned char>(c)] < 0)
      return false;
  for (const char c : text)
    out.push_back(ids[static_cast<unsigned char>(c)]);
  return true;
}

int byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || token[5] != '>')
    return -1;
  const int high = hex_value(token[3]), low = hex_value(token[4]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

} // namespace ganglion::runtime
