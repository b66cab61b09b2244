#include "runtime/tokenizer/sentencepiece_spec.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::runtime {

namespace {

// The numbers of sentencepiece_model.proto that matter here.
constexpr std::uint64_t model_pieces = 1, model_trainer = 2,
                        model_normalizer = 3;
constexpr std::uint64_t piece_type = 3, type_user_defined = 4;
constexpr std::uint64_t trainer_model_type = 3;
constexpr std::uint64_t normalizer_charsmap = 2, normalizer_dummy_prefix = 3;

// Walks the fields of one message in protobuf's wire format.
class message_reader {
public:
  message_reader(std::string_view bytes, const std::string &where)
      : bytes_(bytes),
        where_(where) {}

  /// Moves to the next field; false at the end.
  bool next() {
    if (bytes_.empty())
      return false;
    const auto tag = varint();
    field = tag >> 3;
    switch (tag & 7) {
    case 0:
      number = varint();
      text = {};
      return true;
    case 1:
      text = take(8);
      return true;
    case 2:
      text = take(varint());
      return true;
    case 5:
      text = take(4);
      return true;
    default:
      fail();
    }
  }

  std::uint64_t field = 0;
  std::uint64_t number = 0; // of a varint field
  std::string_view text;    // of any other

private:
  [[noreturn]] void fail() const {
    throw error(error_code::corrupt_data,
                "not a SentencePiece model, or cut off", where_);
  }
  std::string_view take(std::uint64_t length) {
    if (length > bytes_.size())
      fail();
    const auto out = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return out;
  }
  std::uint64_t varint() {
    std::uint64_t out = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      out |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80)
        return out;
    }
    fail();
  }

  std::string_view bytes_;
  const std::string &where_;
};

bool is_user_defined(std::string_view piece, const std::string &where) {
  bool out = false;
  for (message_reader r(piece, where); r.next();)
    if (r.field == piece_type)
      out = r.number == type_user_defined;
  return out;
}

void read_normalizer(message_reader r, sentencepiece_spec &out) {
  while (r.next()) {
    if (r.field == normalizer_charsmap)
      out.has_charsmap = !r.text.empty();
    if (r.field == normalizer_dummy_prefix)
      out.add_dummy_prefix = r.number != 0;
  }
}

} // namespace

sentencepiece_spec read_sentencepiece_spec(std::string_view message,
                                           const std::string &where) {
  sentencepiece_spec out;
  int id = 0;
  for (message_reader r(message, where); r.next();) {
    if (r.field == model_pieces) {
      if (is_user_defined(r.text, where))
        out.user_defined.insert(id);
      ++id;
    } else if (r.field == model_trainer) {
      for (message_reader t(r.text, where); t.next();)
        if (t.field == trainer_model_type)
          out.kind = t.number;
    } else if (r.field == model_normalizer) {
      read_normalizer(message_reader(r.text, where), out);
    }
  }
  return out;
}

} // namespace ganglion::runtime
