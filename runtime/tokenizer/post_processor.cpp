#include "runtime/tokenizer/post_processor.hpp"

#include "runtime/tokenizer/component.hpp"
#include "runtime/tokenizer/vocabulary.hpp"

namespace ganglion::runtime {

namespace {

std::int32_t read_id(const json::value &v) {
  const auto id = v.as_int();
  if (id < 0 || id >= vocabulary::id_limit)
    throw error(error_code::corrupt_data,
                std::to_string(id) + " is not the id of a token", v.where(),
                v.path());
  return static_cast<std::int32_t>(id);
}

// The ids of a special token are in a table beside the template.
void append_special(const json::value &processor, const json::value &name,
                    std::vector<std::int32_t> &out) {
  const auto table = processor.at("special_tokens");
  for (const auto &id : table.at(name.as_string_view()).at("ids").items())
    out.push_back(read_id(id));
}

post_processor read_template(const json::value &v) {
  post_processor out;
  int sequences = 0;
  const auto single = v.at("single");
  for (const auto &piece : single.items()) {
    if (const auto special = piece.find("SpecialToken")) {
      append_special(v, special->at("id"),
                     sequences == 0 ? out.before : out.after);
    } else if (piece.at("Sequence").at("id").as_string_view() == "A") {
      ++sequences;
    } else {
      throw error(error_code::corrupt_data,
                  "the template for one text has the second in it",
                  piece.where(), piece.path());
    }
  }
  if (sequences != 1)
    throw error(error_code::unsupported,
                "the text must be in the template once, not " +
                    std::to_string(sequences) + " times",
                single.where(), single.path());
  return out;
}

// Bert's and Roberta's: ["token", id] for both ends.
post_processor read_cls_and_sep(const json::value &v) {
  const auto id_in = [&](const char *key) {
    const auto pair = v.at(key);
    const auto items = pair.items();
    if (items.size() != 2)
      throw error(error_code::corrupt_data, "expected a token and its id",
                  pair.where(), pair.path());
    return read_id(items[1]);
  };
  return {{id_in("cls")}, {id_in("sep")}};
}

// Each puts its tokens around what the ones before it made.
post_processor read_sequence(const json::value &v) {
  post_processor out;
  for (const auto &item : v.at("processors").items()) {
    const auto next = read_post_processor(item);
    out.before.insert(out.before.begin(), next.before.begin(),
                      next.before.end());
    out.after.insert(out.after.end(), next.after.begin(), next.after.end());
  }
  return out;
}

const component_maker<post_processor> makers[] = {
    {"Sequence", read_sequence},
    {"TemplateProcessing", read_template},
    {"RobertaProcessing", read_cls_and_sep},
    {"BertProcessing", read_cls_and_sep},
    // ByteLevel changes offsets only, which nothing here uses.
    {"ByteLevel", [](const json::value &) { return post_processor(); }},
};

} // namespace

post_processor read_post_processor(const json::value &component) {
  return make_component(component, makers, "post-processor");
}

} // namespace ganglion::runtime
