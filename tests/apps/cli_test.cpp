// The commands: what they print, and how they fail.
#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/json/reader.hpp"
#include "tests/apps/run_command.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/error_text.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

const std::string model = stories260k();

json::document stories() {
  return json::document::load(model + "/expected.json");
}

std::vector<std::int64_t> integers(const json::value &list) {
  std::vector<std::int64_t> out;
  for (const auto &item : list.items())
    out.push_back(item.as_int());
  return out;
}

std::string listed(const std::vector<std::int64_t> &ids) {
  std::string out;
  for (const auto id : ids)
    out += (out.empty() ? "" : ",") + std::to_string(id);
  return out;
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

} // namespace

BOOST_AUTO_TEST_SUITE(cli)

BOOST_AUTO_TEST_CASE(help_and_version) {
  const auto overview = run_command({"--help"});
  BOOST_TEST(overview.code == 0);
  for (const auto &command : apps::commands()) {
    BOOST_TEST(contains(overview.out, std::string(command.spec.summary)));
    const auto help = run_command({std::string(command.spec.name), "--help"});
    BOOST_TEST(help.code == 0);
    BOOST_TEST(contains(help.out,
                        "usage: ganglion " + std::string(command.spec.name)));
  }
  BOOST_TEST(run_command({"--version"}).out.starts_with("ganglion "));
  BOOST_TEST(run_command({}).code == 2);
}

BOOST_AUTO_TEST_CASE(config_explains_itself) {
  const scratch_directory files;
  files.write("serving.properties",
              "option.model_id=" + model + "\noption.job_queue_size = 7\n");
  files.write("config.properties", "port=1234\n");
  const std::vector<std::string> start = {"config",
                                          "--model",
                                          files.path(),
                                          "--config-file",
                                          files / "config.properties",
                                          "--tp-degree=1"};
  auto explained = start;
  explained.push_back("--explain");
  const auto r = run_command(explained, {}, {{"OPTION_ENGINE", "MPI"}});
  BOOST_TEST(r.code == 0, r.err);
  for (const std::string &part :
       {"# " + (files / "serving.properties:2"),
        "# " + (files / "config.properties:1"),
        std::string("# command line --tp-degree"),
        std::string("# environment OPTION_ENGINE"),
        std::string("# smart default"), std::string("# default")})
    BOOST_TEST(contains(r.out, part), r.out);
  BOOST_TEST(contains(r.out, "engine = MPI "));
  const auto lines = run_command(start);
  BOOST_TEST(contains(lines.out, "option.job_queue_size=7\n"), lines.out);
  BOOST_TEST(contains(lines.out, "option.port=1234\n"));
  BOOST_TEST(!contains(lines.out, "quantize"));
  const auto bad = run_command({"config", "--model", model, "--port=x"});
  BOOST_TEST(bad.code == 2);
}

BOOST_AUTO_TEST_CASE(generate_prints_the_expected_story) {
  const auto document = stories();
  const auto expected = document.root().items().front();
  const auto r = run_command({"generate", "--model", model,
                              expected.at("prompt").as_string(),
                              "--max-new-tokens", "200"});
  BOOST_TEST(r.code == 0, r.err);
  BOOST_TEST(r.out == expected.at("text").as_string() + "\n");
  BOOST_TEST(r.last_error_line().starts_with(
      "5 prompt tokens, 200 new tokens (length), first token after "));
  BOOST_TEST(contains(r.last_error_line(), "tokens/s, decode "));
  BOOST_TEST(contains(r.err, " steps of "));
  BOOST_TEST(contains(r.err, " ms at neuron_optimize_level 2\n"));
}

BOOST_AUTO_TEST_CASE(generate_takes_its_prompt_from_anywhere) {
  const std::string text = "Once upon a time, there was\n";
  const std::vector<std::string> base = {"generate", "--model", model,
                                         "--max-new-tokens=3"};
  const auto with = [&](std::vector<std::string> more,
                        const std::string &input = {}) {
    more.insert(more.begin(), base.begin(), base.end());
    return run_command(more, input).out;
  };
  const scratch_directory files;
  files.write("prompt", "Once upon a time\n");
  BOOST_TEST(with({"Once upon a time"}) == text);
  BOOST_TEST(with({}, "Once upon a time\n") == text);
  BOOST_TEST(with({"--file", files / "prompt"}) == text);
  BOOST_TEST(with({"--prompt-ids", "1,403,407,261,378"}) == ", there was\n");
}

BOOST_AUTO_TEST_CASE(generate_prints_json) {
  const auto document = stories();
  for (const auto &expected : document.root().items()) {
    const auto ids = integers(expected.at("ids"));
    const auto wanted = integers(expected.at("greedy_ids"));
    for (const std::string degree : {"1", "2"}) {
      const auto r =
          run_command({"generate", "--model", model, "--json", "--ignore-eos",
                       "--prompt-ids", listed(ids), "--tp-degree", degree,
                       "--max-new-tokens", std::to_string(wanted.size())});
      BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
      const auto answer = json::document::parse(r.out, "answer");
      const auto root = answer.root();
      BOOST_TEST(integers(root.at("prompt_ids")) == ids);
      BOOST_TEST(integers(root.at("ids")) == wanted);
      BOOST_TEST(root.at("logprobs").size() == wanted.size());
      BOOST_TEST(root.at("finish_reason").as_string() == "length");
      BOOST_TEST(expected.at("prompt").as_string() +
                     root.at("text").as_string() ==
                 expected.at("text").as_string());
      BOOST_TEST(root.at("timing").at("time_to_first_token").as_double() > 0);
    }
  }
  // A text is tokenised as the model wants it.
  const auto r = run_command({"generate", "--model", model, "--json",
                              "Once upon a time", "--max-new-tokens", "1"});
  BOOST_TEST(contains(r.out, "\"prompt_ids\": [1, 403, 407, 261, 378]"));
}

BOOST_AUTO_TEST_CASE(generate_lists_alternatives_and_the_prompt) {
  const auto r = run_command({"generate", "--model", model, "--json",
                              "Once upon a time", "--max-new-tokens", "2",
                              "--top-logprobs", "3", "--prompt-logprobs", "1"});
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
  const auto answer = json::document::parse(r.out, "answer");
  const auto root = answer.root();
  BOOST_REQUIRE(root.at("top_logprobs").size() == 2u);
  for (const auto &top : root.at("top_logprobs").items())
    BOOST_TEST(top.size() == 3u);
  const auto first = root.at("top_logprobs").items()[0].items()[0];
  BOOST_TEST(first.at("text").as_string() == ",");
  BOOST_TEST(first.at("logprob").as_double() ==
             root.at("logprobs").items()[0].as_double());
  const auto prompt = root.at("prompt").items();
  BOOST_REQUIRE(prompt.size() == 5u);
  BOOST_TEST(!prompt[0].find("logprob")); // null
  BOOST_TEST(prompt[1].at("logprob").as_double() < 0);
  BOOST_TEST(prompt[1].at("top_logprobs").size() == 1u);
}

BOOST_AUTO_TEST_CASE(generate_takes_the_parameters_of_requests) {
  const auto with = [](const std::string &parameters) {
    return run_command({"generate", "--model", model, "Once upon a time",
                        "--max-new-tokens", "5", "--parameters", parameters});
  };
  const auto r = with(R"({"logit_bias": {"300": 100}})");
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
  BOOST_TEST(r.out != with("{}").out);
  BOOST_TEST(with(R"({"top_q": 1})").code == 2);
  const auto bad = with(R"({"min_p": 3})");
  BOOST_TEST(bad.code == 2);
  BOOST_TEST(contains(bad.err, "min_p"), bad.err);
}

BOOST_AUTO_TEST_CASE(score_tells_how_likely_a_continuation_is) {
  const auto score = [](const std::string &continuation) {
    const auto r = run_command({"score", "--model", model, "--context",
                                "Once upon a time", continuation});
    BOOST_REQUIRE_MESSAGE(r.code == 0, r.err);
    return json::document::parse(r.out, "score");
  };
  const auto likely = score(", there was");
  const auto root = likely.root();
  double sum = 0;
  std::string text;
  for (const auto &t : root.at("tokens").items()) {
    sum += t.at("logprob").as_double();
    text += t.at("text").as_string();
  }
  BOOST_TEST(text == ", there was");
  BOOST_TEST(std::abs(root.at("logprob").as_double() - sum) < 1e-6);
  BOOST_TEST(root.at("greedy").as_bool());
  const auto other = score(" zebra quickly");
  BOOST_TEST(!other.root().at("greedy").as_bool());
  BOOST_TEST(other.root().at("logprob").as_double() < sum);
  BOOST_TEST(run_command({"score", "--model", model}).code == 2);
  BOOST_TEST(
      run_command({"score", "--model", model, "--context", "a", ""}).code == 2);
}

BOOST_AUTO_TEST_CASE(generate_samples_and_stops) {
  const auto run = [](std::vector<std::string> more) {
    const std::vector<std::string> base = {
        "generate",         "--model",          model,
        "Once upon a time", "--max-new-tokens", "40"};
    more.insert(more.begin(), base.begin(), base.end());
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
    return r.out;
  };
  const auto greedy = run({});
  const auto sampled = run({"--do-sample", "--seed", "7"});
  BOOST_TEST(sampled != greedy);
  BOOST_TEST(run({"--do-sample", "--seed", "7"}) == sampled);
  BOOST_TEST(run({"--do-sample", "--seed", "8"}) != sampled);
  BOOST_TEST(run({"--do-sample", "--top-k", "1"}) == greedy);
  BOOST_TEST(run({"--do-sample", "--top-p", "1e-6"}) == greedy);
  BOOST_TEST(run({"--do-sample", "--temperature", "1e-4"}) == greedy);
  BOOST_TEST(run({"--repetition-penalty", "5"}) != greedy);
  BOOST_TEST(run({"--stop", "zebra", "--stop", "little"}) ==
             "Once upon a time, there was a \n");
}

BOOST_AUTO_TEST_CASE(generate_refuses) {
  const std::tuple<std::vector<std::string>, int, const char *> cases[] = {
      {{}, 2, "model_id: no model given"},
      {{"--model", "/no/such"}, 1, "no such model directory"},
      {{"--model", model, "a", "b"}, 2, "unexpected argument 'b'"},
      {{"--model", model, "a", "--prompt-ids", "1"}, 2, "more than one prompt"},
      {{"--model", model, "--file", "/no/such"}, 1, "--file: cannot read"},
      {{"--model", model, "a", "--top-p", "2"}, 2, "top_p: 2 is out of range"},
      {{"--model", model, "a", "--top-k", "-1"}, 2, "--top-k"},
      {{"--model", model, "a", "--bogus"}, 2, "--bogus: unknown option"},
      {{"--model", model, "a", "--tp-degree", "3"},
       2,
       "tensor_parallel_degree"},
      {{"--model", model, "--prompt-ids", "1,512"}, 2, "512"},
      {{"--model", model, "--prompt-ids", "x"}, 2, "--prompt-ids"},
      {{"--model", model, "a", "--dtype", "int3"}, 2, "--dtype"},
      {{"--model", model, "a", "--stop", ""}, 2, "stop"},
  };
  for (auto [arguments, code, part] : cases) {
    arguments.insert(arguments.begin(), "generate");
    const auto r = run_command(arguments);
    BOOST_TEST(r.code == code, part << ": " << r.err);
    BOOST_TEST(r.last_error_line().starts_with("ganglion: "), r.err);
    BOOST_TEST(contains(r.last_error_line(), part), r.err);
    BOOST_TEST(r.out == "");
  }
  BOOST_TEST(contains(run_command({"bogus"}).err,
                      "ganglion: command line: unknown command 'bogus'"));
}

BOOST_AUTO_TEST_CASE(tokenize_and_detokenize) {
  const auto ids =
      run_command({"tokenize", "--model", model},
                  "\"Once upon a time\"\n\n\"\"\n\"The sun was hot.\"\n");
  BOOST_TEST(ids.code == 0, ids.err);
  BOOST_TEST(ids.out == "[1, 403, 407, 261, 378]\n[1]\n"
                        "[1, 291, 262, 379, 286, 270, 309, 426]\n");
  BOOST_TEST(run_command({"tokenize", "--model", model, "--no-special"},
                         "\"Once upon a time\"\n")
                 .out == "[403, 407, 261, 378]\n");
  const auto text = run_command({"detokenize", "--model", model}, ids.out);
  BOOST_TEST(text.code == 0, text.err);
  BOOST_TEST(text.out ==
             "\"<s> Once upon a time\"\n\"<s>\"\n\"<s> The sun was hot.\"\n");
  BOOST_TEST(
      run_command({"detokenize", "--model", model, "--no-special"}, ids.out)
          .out == "\"Once upon a time\"\n\"\"\n\"The sun was hot.\"\n");
}

BOOST_AUTO_TEST_CASE(render) {
  const auto shown = fixture("chat/stories.jinja");
  const std::string messages = R"([{"role": "user", "content": "A dog"}])";
  const auto run = [&](const std::string &input,
                       const std::vector<std::string> &more = {}) {
    std::vector<std::string> arguments{"render", "--model", model,
                                       "--chat-template", shown};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments, input + "\n");
  };
  BOOST_TEST(run(messages).out == "\"<s>A dog. Once upon a time\"\n");
  BOOST_TEST(run(messages, {"--no-answer"}).out == "\"<s>A dog. \"\n");
  const auto refused = run(R"([{"role": "ghost", "content": "boo"}])");
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(refused.err.find("only system, user and assistant") !=
             std::string::npos);
  BOOST_TEST(run("{}").code == 2);
  BOOST_TEST(run_command({"render", "--model", model}, messages + "\n").code ==
             1); // it has no template
}

BOOST_AUTO_TEST_CASE(tokenize_and_detokenize_refuse) {
  const std::tuple<const char *, const char *, int, const char *> cases[] = {
      {"tokenize", "\"a\"\n[1]\n", 2, "line 2: expected a string"},
      {"tokenize", "\"a\"\n\"b\n", 1, "line 2: not valid JSON"},
      {"detokenize", "\"a\"\n", 2, "line 1: expected an array"},
      {"detokenize", "[1, -1]\n", 2, "line 1: [1]: -1 is no token id"},
      {"detokenize", "[1.5]\n", 2, "line 1: [0]: expected an integer"},
  };
  for (const auto &[command, input, code, part] : cases) {
    const auto r = run_command({command, "--model", model}, input);
    BOOST_TEST(r.code == code, r.err);
    BOOST_TEST(contains(r.err, part), r.err);
  }
  BOOST_TEST(run_command({"tokenize"}).code == 2);
  BOOST_TEST(run_command({"tokenize", "--model", "/no/such"}).code == 1);
}

BOOST_AUTO_TEST_CASE(logits_are_written) {
  const scratch_directory files;
  files.write("prompts.json", "[[1, 403, 407, 261, 378], [1]]");
  const auto run = [&](const std::string &name, std::vector<std::string> more) {
    const std::vector<std::string> base = {
        "logits", "--model",   model, "--prompts", files / "prompts.json",
        "--out",  files / name};
    more.insert(more.begin(), base.begin(), base.end());
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
  };
  run("whole", {});
  run("chunked", {"--chunk", "2"});
  const auto file = runtime::safetensors_file::open(files / "whole");
  BOOST_TEST(file.tensors().size() == 2u);
  const auto *first = file.find("prompt0");
  BOOST_REQUIRE(first != nullptr);
  BOOST_TEST(first->dims == (std::vector<std::int64_t>{5, 512}));
  BOOST_TEST(file.find("prompt1")->dims == (std::vector<std::int64_t>{1, 512}));
  std::vector<float> rows(5 * 512);
  std::memcpy(rows.data(), first->bytes.data(), first->bytes.size());
  const auto last = rows.end() - 512;
  BOOST_TEST(std::distance(last, std::max_element(last, rows.end())) ==
             432); // ","
  // Chunking changes no bit.
  BOOST_TEST((contents(files / "whole") == contents(files / "chunked")));
}

BOOST_AUTO_TEST_CASE(logits_refuse) {
  const scratch_directory files;
  files.write("bad.json", "[[1, \"a\"]]");
  files.write("outside.json", "[[1, 512]]");
  files.write("empty.json", "[[]]");
  const std::tuple<std::string, int, const char *> cases[] = {
      {"/no/such", 1, "cannot open"},
      {files / "bad.json", 2, "[0][1]: expected an integer"},
      {files / "outside.json", 2, "512"},
      {files / "empty.json", 2, "no tokens"},
  };
  for (const auto &[prompts, code, part] : cases) {
    const auto r = run_command({"logits", "--model", model, "--prompts",
                                prompts, "--out", files / "out"});
    BOOST_TEST(r.code == code, prompts << ": " << r.err);
    BOOST_TEST(contains(r.last_error_line(), part), r.err);
    BOOST_TEST(!std::filesystem::exists(files / "out"));
  }
  BOOST_TEST(run_command({"logits", "--model", model}).code == 2);
}

BOOST_AUTO_TEST_CASE(compile_describes_and_dumps) {
  const scratch_directory files;
  const auto dump = files / "made/here";
  const auto r = run_command(
      {"compile", "--model", model, "--tp-degree", "2", "--dump-hlo", dump});
  BOOST_TEST(r.code == 0, r.err);
  BOOST_TEST(r.out.starts_with("llama f32, tensor_parallel_degree 2, "));
  BOOST_TEST(contains(r.out, ", neuron_optimize_level 2\n"));
  BOOST_TEST(contains(r.out, ", compiled in "));
  for (const std::string rows : {"8", "64"}) {
    BOOST_TEST(contains(r.out, "bucket of " + rows + " token rows"));
    const auto stem = dump + "/step_" + rows;
    BOOST_TEST(contents(stem + ".hlo").starts_with("HloModule "));
    BOOST_TEST(contains(contents(stem + ".hlo"), "all-reduce("));
    BOOST_TEST(contents(stem + ".program").starts_with("program: "));
  }
  const auto parts = run_command(
      {"compile", "--model", model, "--unroll", "1", "--dump-hlo", dump});
  BOOST_TEST(parts.code == 0, parts.err);
  const auto calls = [](const std::string &program) {
    return std::stoi(program.substr(program.find(' ')));
  };
  int sum = 0;
  for (const std::string part : {"inputs", "layers", "outputs"})
    sum += calls(contents(dump + "/step_8." + part + ".program"));
  // One of five layers.
  BOOST_TEST(3 * sum < calls(contents(dump + "/step_8.program")));
  files.write("file", "");
  BOOST_TEST(run_command({"compile", "--model", model, "--dump-hlo",
                          files / "file/below"})
                 .code == 1);
}

BOOST_AUTO_TEST_CASE(compile_writes_modules_in_two_forms) {
  const scratch_directory files;
  const auto dumped = [&](const std::string &to,
                          std::vector<std::string> more) {
    more.insert(more.begin(),
                {"compile", "--model", model, "--dump-hlo", files / to});
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
    return r.out;
  };
  const auto described = [&](const std::string &file) {
    const auto r = run_command({"inspect", files / file});
    BOOST_TEST(r.code == 0, r.err);
    return r.out;
  };
  const auto plain = dumped("plain", {});
  const auto text = described("plain/step_8.hlo");
  BOOST_TEST(text == described("plain/step_8.hlo.pb"));
  BOOST_TEST(contains(text, "ganglion.paged_attention"), text);
  BOOST_TEST(contains(text, "must alias output 1"), text);
  const auto key = text.substr(text.find("key") + 3);
  BOOST_TEST(
      contains(plain, "key " + key.substr(key.find_first_not_of(' '), 32)),
      plain);
  dumped("inlined", {"--inline"});
  BOOST_TEST(!contains(described("inlined/step_8.hlo.pb"), "ganglion."));
  dumped("optimised", {"--optimised"});
  const auto entry = [&](const std::string &file) {
    const auto all = contents(files / file);
    return all.substr(all.find("ENTRY"));
  };
  BOOST_TEST(contains(entry("plain/step_8.hlo"), "transpose("));
  BOOST_TEST(!contains(entry("optimised/step_8.hlo"), "transpose("));
  const auto nowhere = run_command({"compile", "--model", model, "--inline"});
  BOOST_TEST(nowhere.code == 2);
  BOOST_TEST(contains(nowhere.last_error_line(), "--inline"), nowhere.err);
}

/// A safetensors file of one f32 tensor.
std::string one_tensor(const std::string &name, const std::string &dims,
                       std::vector<float> values) {
  const auto bytes = values.size() * sizeof(float);
  const std::string header =
      "{\"" + name + "\":{\"dtype\":\"F32\",\"shape\":" + dims +
      ",\"data_offsets\":[0," + std::to_string(bytes) + "]}}";
  std::string out(8, '\0');
  out[0] = static_cast<char>(header.size());
  out += header;
  out.append(reinterpret_cast<const char *>(values.data()), bytes);
  return out;
}

BOOST_AUTO_TEST_CASE(run_executes_a_module) {
  const scratch_directory files;
  files.write("m.hlo", "HloModule m\nENTRY main { x = f32[2] parameter(0)\n"
                       "ROOT y = f32[2] negate(x) }\n");
  files.write("x", one_tensor("x", "[2]", {1.5f, -2}));
  files.write("number", one_tensor("0", "[2]", {1.5f, -2}));
  files.write("other", one_tensor("z", "[2]", {1.5f, -2}));
  files.write("long", one_tensor("x", "[3]", {1, 2, 3}));
  files.write("bad.hlo", "HloModule m\nENTRY main { x = f32[2] wat() }\n");
  files.write("bad.pb", "no module");
  const auto run = [&](const std::string &file, const std::string &inputs,
                       std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"run", files / file, "--inputs", files / inputs,
                               "--out", files / "out"});
    return run_command(more);
  };
  const auto wanted = one_tensor("0", "[2]", {-1.5f, 2});
  for (const std::string inputs : {"x", "number"})
    for (const auto &more :
         std::vector<std::vector<std::string>>{{}, {"--evaluator"}}) {
      const auto r = run("m.hlo", inputs, more);
      BOOST_TEST(r.code == 0, r.err);
      const auto out = contents(files / "out");
      BOOST_TEST(out.substr(out.size() - 8) ==
                 wanted.substr(wanted.size() - 8));
      std::filesystem::remove(files / "out");
    }
  const std::tuple<std::string, std::string, int, std::string> cases[] = {
      {"m.hlo", "other", 2, "other: x: missing: parameter 0, f32[2]"},
      {"m.hlo", "long", 2, "x: expected F32 [2], got F32 [3]"},
      {"m.hlo", "m.hlo", 1, "m.hlo"},
      {"m.hlo", "nowhere", 1, "nowhere"},
      {"nowhere", "x", 1, "nowhere"},
      {"bad.hlo", "x", 1, "unknown operation 'wat'"},
      {"bad.pb", "x", 1, "not a HloModuleProto"},
  };
  for (const auto &[file, inputs, code, part] : cases) {
    const auto r = run(file, inputs);
    BOOST_TEST(r.code == code, file << " " << inputs << ": " << r.err);
    BOOST_TEST(contains(r.last_error_line(), part), r.err);
    BOOST_TEST(!std::filesystem::exists(files / "out"));
  }
  BOOST_TEST(run_command({"run"}).code == 2);
  BOOST_TEST(run_command({"run", files / "m.hlo"}).code == 2);
}

BOOST_AUTO_TEST_CASE(inspect_describes) {
  const auto r = run_command({"inspect", "--model", model, "--tp-degree", "8"});
  BOOST_TEST(r.code == 0, r.err);
  for (const std::string part :
       {"family                llama", "parameters            260032",
        "heads                 8 of 8, 4 KV heads", "ranks 8, f32",
        "rank 0                heads 0, KV heads 0, mlp [0, 22), "
        "vocabulary [0, 64)",
        "rank 7                heads 7, KV heads 3, mlp [154, 172) + 4 "
        "padding, vocabulary [448, 512)"})
    BOOST_TEST(contains(r.out, part), part << " not in " << r.out);
  BOOST_TEST(
      run_command({"inspect", "--model", model, "--tp-degree", "3"}).code == 2);
}

/// The line of `text` that begins with `name`.
std::string line_of(const std::string &text, const std::string &name) {
  const auto at = text.find("  " + name);
  return at == std::string::npos ? ""
                                 : text.substr(at, text.find('\n', at) - at);
}

BOOST_AUTO_TEST_CASE(int8_takes_less_memory) {
  const auto inspect = [](std::vector<std::string> more) {
    more.insert(more.begin(), {"inspect", "--model", model});
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
    return r.out;
  };
  const auto plain = inspect({}), weights = inspect({"--quantize=static_int8"}),
             cache = inspect({"--kv-cache-quant=s8"});
  BOOST_TEST(line_of(weights, "weights") != line_of(plain, "weights"));
  BOOST_TEST(line_of(weights, "KV cache") == line_of(plain, "KV cache"));
  BOOST_TEST(line_of(cache, "KV cache") != line_of(plain, "KV cache"));
  BOOST_TEST(contains(weights, "static_int8"), weights);
  BOOST_TEST(contains(cache, "KV cache s8"), cache);
  BOOST_TEST(inspect({"--load-in-8bit"}) == weights);
}

BOOST_AUTO_TEST_CASE(int8_gives_other_logits_and_programs) {
  const scratch_directory files;
  files.write("prompts.json", "[[1, 403, 407, 261, 378]]");
  const auto logits = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"logits", "--model", model, "--prompts",
                               files / "prompts.json", "--out", files / "out"});
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
    return contents(files / "out");
  };
  const auto dump = [&](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"compile", "--model", model, "--dump-hlo", files / "dump"});
    const auto r = run_command(more);
    BOOST_TEST(r.code == 0, r.err);
    return contents(files / "dump/step_8.hlo");
  };
  const auto plain = logits({});
  const auto weights = logits({"--quantize=static_int8"});
  BOOST_TEST((weights != plain));
  BOOST_TEST((logits({"--load-in-8bit"}) == weights));
  BOOST_TEST((logits({"--kv-cache-quant=s8"}) != plain));
  BOOST_TEST(contains(dump({"--quantize=static_int8"}), "weight_scale"));
  BOOST_TEST(contains(dump({"--kv-cache-quant=s8"}), "key_scales"));
}

BOOST_AUTO_TEST_CASE(int8_generates) {
  const auto r = run_command({"generate", "--model", model, "Once",
                              "--quantize=static_int8", "--kv-cache-quant=s8"});
  BOOST_TEST(r.code == 0, r.err);
  BOOST_TEST(!r.out.empty());
}

BOOST_AUTO_TEST_CASE(variables_are_a_source_too) {
  const auto r = run_command(
      {"inspect"}, {}, {{"HF_MODEL_ID", model}, {"OPTION_DTYPE", "bf16"}});
  BOOST_TEST(r.code == 0, r.err);
  BOOST_TEST(contains(r.out, "ranks 1, bf16"));
}

BOOST_AUTO_TEST_CASE(inspect_describes_experts) {
  const auto mixtral = testing::fixture("models/mixtral");
  const auto split =
      run_command({"inspect", "--model", mixtral, "--tp-degree", "2"});
  BOOST_TEST(split.code == 0);
  BOOST_TEST(contains(split.out, "4, 2 for a token"));
  BOOST_TEST(contains(split.out, "mlp [40, 80)"));
  const auto whole = run_command({"inspect", "--model", mixtral, "--tp-degree",
                                  "2", "--expert-sharding", "distributed"});
  BOOST_TEST(contains(whole.out, "experts [2, 4)"));
  const auto refused =
      run_command({"inspect", "--model", mixtral, "--tp-degree", "8",
                   "--expert-sharding", "distributed"});
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(contains(refused.err, "expert_sharding"));
}

BOOST_AUTO_TEST_SUITE_END()
