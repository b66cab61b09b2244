#include "hlo/support/error.hpp"
#include "runtime/chat/from_json.hpp"
#include "runtime/chat/model_chat.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>

using namespace ganglion;
using namespace ganglion::testing;
using runtime::chat_options;
namespace chat = runtime::chat;

namespace {

std::string prompt_of(const runtime::model_chat &model,
                      chat_options options = {}) {
  const auto messages = json::document::parse(
      R"([{"role": "user", "content": "hello"}])", "messages");
  return model.prompt(chat::from_json(messages.root()), std::move(options));
}

/// A model directory with these files.
struct directory_of {
  using file = std::pair<std::string, std::string>;
  explicit directory_of(std::initializer_list<file> files) {
    for (const auto &[name, text] : files) {
      std::filesystem::create_directories(
          std::filesystem::path(files_ / name).parent_path());
      files_.write(name, text);
    }
  }
  runtime::model_chat read(const std::string &path = {}) const {
    return runtime::model_chat::read(files_.path(), path);
  }
  scratch_directory files_;
};

} // namespace

BOOST_AUTO_TEST_SUITE(model_chat)

BOOST_AUTO_TEST_CASE(every_file_form_is_read) {
  const std::string text = "{{ messages[0].content }}!";
  const std::string json = R"({"chat_template": ")" + text + "\"}";
  const std::string named =
      R"({"chat_template": [{"name": "default", "template": ")" + text +
      "\"}]}";
  for (const auto &file :
       {std::pair<std::string, std::string>{"chat_template.jinja", text},
        {"additional_chat_templates/default.jinja", text},
        {"chat_template.json", json},
        {"tokenizer_config.json", json},
        {"tokenizer_config.json", named}}) {
    const directory_of model({file});
    BOOST_TEST(model.read().available());
    BOOST_TEST(prompt_of(model.read()) == "hello!");
  }
}

BOOST_AUTO_TEST_CASE(the_first_of_the_files_counts_and_a_path_before_all) {
  const directory_of model(
      {{"chat_template.jinja", "first"},
       {"tokenizer_config.json", R"({"chat_template": "last"})"},
       {"own.jinja", "own"},
       {"empty.json", "{}"}});
  BOOST_TEST(prompt_of(model.read()) == "first");
  BOOST_TEST(prompt_of(model.read(model.files_ / "own.jinja")) == "own");
  BOOST_CHECK_EXCEPTION(model.read(model.files_ / "empty.json"), error,
                        [](const error &e) {
                          return e.code() == error_code::not_found &&
                                 e.field() == "chat_template";
                        });
}

BOOST_AUTO_TEST_CASE(special_tokens_are_the_models_unless_given) {
  const directory_of model(
      {{"chat_template.jinja", "{{ bos_token }}|{{ eos_token }}"},
       {"tokenizer_config.json",
        R"({"bos_token": "<s>", "eos_token": {"content": "</s>"}})"}});
  BOOST_TEST(prompt_of(model.read()) == "<s>|</s>");
  chat_options options;
  options.eos_token = "<end>";
  BOOST_TEST(prompt_of(model.read(), options) == "<s>|<end>");
}

BOOST_AUTO_TEST_CASE(tools_have_a_template_of_their_own) {
  const directory_of model(
      {{"tokenizer_config.json",
        R"({"chat_template": [{"name": "default", "template": "plain"},
            {"name": "tool_use", "template": "{{ tools | length }} tools"}]})"}});
  chat_options options;
  options.tools = chat::value::list({chat::value("a"), chat::value("b")});
  BOOST_TEST(prompt_of(model.read()) == "plain");
  BOOST_TEST(prompt_of(model.read(), options) == "2 tools");
}

BOOST_AUTO_TEST_CASE(what_does_not_parse_is_refused_with_its_line) {
  const directory_of model({{"chat_template.jinja", "one\n{% include 'x' %}"}});
  const auto read = model.read();
  BOOST_TEST(!read.available());
  BOOST_TEST(read.refusal().find("chat_template.jinja") != std::string::npos);
  BOOST_TEST(read.refusal().find("include") != std::string::npos);
  BOOST_TEST(read.refusal().find("line 2") != std::string::npos);
  BOOST_CHECK_EXCEPTION(prompt_of(read), error, [](const error &e) {
    return e.code() == error_code::unsupported && e.field() == "chat_template";
  });
}

BOOST_AUTO_TEST_CASE(a_model_without_one_says_how_to_give_one) {
  const directory_of model(std::initializer_list<directory_of::file>{});
  BOOST_TEST(!model.read().available());
  BOOST_TEST(model.read().refusal().find("chat_template") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
