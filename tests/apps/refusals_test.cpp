// About a hundred bad requests for each family of routes: status, field and
// message, while a stream runs that none of them disturbs.
#include "runtime/json/reader.hpp"
#include "tests/apps/chatty_stories.hpp"
#include "tests/apps/http_client.hpp"
#include "tests/apps/refusal_cases.hpp"
#include "tests/apps/running_server.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <atomic>

using namespace ganglion;
using namespace ganglion::testing;

namespace {

/// What an error's body says, whatever its family.
struct told {
  std::string field, message;
};

told openai_told(const json::value &root) {
  const auto why = root.at("error");
  return {why.get_string("param", ""), why.at("message").as_string()};
}

told lmi_told(const json::value &root) {
  return {root.get_string("field", ""), root.at("error").as_string()};
}

/// The field stands between the first two back quotes.
told tgi_told(const json::value &root) {
  told out;
  out.message = root.at("error").as_string();
  const auto open = out.message.find('`');
  if (open != std::string::npos)
    out.field = out.message.substr(open + 1,
                                   out.message.find('`', open + 1) - open - 1);
  return out;
}

/// Engines name a parameter without the object it came in.
std::string last_name(const std::string &field) {
  return field.starts_with("parameters.") ? field.substr(11) : field;
}

/// Runs one stream after the other and compares them.
class steady_stream {
public:
  explicit steady_stream(std::uint16_t port)
      : port_(port),
        first_(run()),
        thread_([this] {
          do { // at least once, however late this thread starts
            different_ += run() != first_;
            ++runs_;
          } while (!done_);
        }) {}
  ~steady_stream() { stop(); }

  void stop() {
    done_ = true;
    if (thread_.joinable())
      thread_.join();
  }
  const std::string &first() const { return first_; }
  int runs() const { return runs_; }
  int different() const { return different_; }

private:
  std::string run() const {
    http_client client(port_);
    return client
        .exchange("POST", "/invocations",
                  R"({"inputs": "Once upon a time", "stream": true, )"
                  R"("parameters": {"max_new_tokens": 400, "seed": 3, )"
                  R"("do_sample": true, "ignore_eos": true}})")
        .body();
  }

  std::uint16_t port_;
  std::string first_;
  std::atomic<bool> done_{false};
  std::atomic<int> runs_{0}, different_{0};
  std::thread thread_;
};

void check_table(const std::string &name, told (*tell)(const json::value &)) {
  const chatty_stories model;
  running_server server(model.options());
  BOOST_REQUIRE(server.ready());
  steady_stream stream(server.port());
  BOOST_TEST(contains(stream.first(), "\"generated_text\""));
  const auto cases = refusal_table_reader::read(
      source_dir() + "/tests/cases/refusals/" + name + ".txt");
  BOOST_TEST(cases.size() >= 95u);
  http_client client(server.port());
  for (const auto &c : cases) {
    const auto r = client.exchange("POST", c.route, c.body);
    const auto context = c.body.substr(0, 120) + " gives " + r.body();
    BOOST_TEST(r.result_int() == static_cast<unsigned>(c.status), context);
    const auto body = json::document::parse(r.body(), "answer");
    const auto [field, message] = tell(body.root());
    BOOST_TEST((field == c.field || field == last_name(c.field)), context);
    BOOST_TEST(contains(message, c.part), context);
  }
  stream.stop();
  BOOST_TEST(stream.runs() > 0);
  BOOST_TEST(stream.different() == 0);
}

} // namespace

BOOST_AUTO_TEST_SUITE(refusals)

BOOST_AUTO_TEST_CASE(of_completions) {
  check_table("completions", openai_told);
}
BOOST_AUTO_TEST_CASE(of_chat) { check_table("chat", openai_told); }
BOOST_AUTO_TEST_CASE(of_tgi) { check_table("tgi", tgi_told); }
BOOST_AUTO_TEST_CASE(of_lmi) { check_table("lmi", lmi_told); }

BOOST_AUTO_TEST_SUITE_END()
