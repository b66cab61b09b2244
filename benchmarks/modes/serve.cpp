// serve: a closed loop of clients over HTTP against a server on this machine.
#include "benchmarks/mode.hpp"
#include "benchmarks/model/model_directory.hpp"
#include "benchmarks/net/closed_loop.hpp"
#include "benchmarks/net/server_process.hpp"
#include "hlo/support/error.hpp"

#include <memory>
#include <optional>

namespace ganglion::benchmarks {

namespace {

using runtime::option_kind;

duration seconds(double value) {
  return std::chrono::duration_cast<duration>(
      std::chrono::duration<double>(value));
}

/// What one number of clients gave, over all rounds.
struct series {
  std::int64_t clients = 0;
  client_samples all;
  std::vector<double> tokens_per_second, requests_per_second; ///< per round
};

void add(series &s, const load_result &round) {
  const auto join = [](std::vector<double> &to,
                       const std::vector<double> &from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  join(s.all.first_token, round.samples.first_token);
  join(s.all.gap, round.samples.gap);
  join(s.all.request, round.samples.request);
  s.tokens_per_second.push_back(static_cast<double>(round.samples.tokens) /
                                round.seconds);
  s.requests_per_second.push_back(
      static_cast<double>(round.samples.request.size()) / round.seconds);
}

/// "p50 / p90 / p99".
std::string percentiles(const std::vector<double> &samples) {
  std::string out;
  for (const double share : {0.5, 0.9, 0.99}) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", percentile(samples, share));
    out += (out.empty() ? "" : " / ") + std::string(text);
  }
  return out;
}

std::vector<cell> row_of(const series &s) {
  return {s.clients,
          summarise(s.tokens_per_second),
          summarise(s.requests_per_second),
          percentiles(s.all.first_token),
          percentiles(s.all.gap),
          percentiles(s.all.request),
          static_cast<std::int64_t>(s.all.request.size())};
}

table result_table(const std::vector<series> &all, const std::string &subject,
                   const load_settings &s, std::int64_t repetitions) {
  table t{"serving",
          subject +
              ": closed loop, every client asks again when its answer "
              "has ended; " +
              std::to_string(s.requests) + " requests a client and round, " +
              std::to_string(s.prompt_length) + " characters in, " +
              std::to_string(s.new_tokens) +
              " tokens out, POST /invocations with stream. One client thread "
              "on the same machine. Rates: median of " +
              std::to_string(repetitions) +
              " interleaved rounds (low-high) after one to warm up. Times: "
              "p50 / p90 / p99 over all; first token from sending to the "
              "first line, gap between lines as read.",
          {{"clients"},
           {"tokens", "1/s"},
           {"requests", "1/s"},
           {"first_token", "ms"},
           {"gap", "ms"},
           {"request", "ms"},
           {"count"}}};
  for (const series &s1 : all)
    t.rows.push_back(row_of(s1));
  return t;
}

load_settings settings_of(const runtime::option_values &values) {
  load_settings s;
  s.requests = values.integer("requests");
  s.prompt_length = values.integer("prompt_length");
  s.new_tokens = values.integer("new_tokens");
  s.limit = seconds(values.real("limit"));
  return s;
}

/// The server under load: somebody else's, or one started here.
class subject {
public:
  explicit subject(const runtime::parsed_command &arguments) {
    const auto &values = arguments.own;
    const auto limit = seconds(values.real("limit"));
    const auto &program = values.string("spawn");
    if (program.empty()) {
      if (!values.is_set("port"))
        throw error(error_code::invalid_argument,
                    "needs the port of a server, or --spawn a program",
                    "command line", "--port");
      address_ = {values.string("host"),
                  static_cast<std::uint16_t>(values.integer("port"))};
      wait_until_healthy(address_, steady_clock().now() + limit);
      description_ = "server at port " + std::to_string(address_.port);
      return;
    }
    model_.emplace(values, values.string("dtype"));
    std::vector<std::string> words{"--model",          model_->path(),
                                   "--dtype",          values.string("dtype"),
                                   "--log-level",      "warn",
                                   "--artifact-cache", "none"};
    words.insert(words.end(), arguments.positionals.begin(),
                 arguments.positionals.end());
    server_ = std::make_unique<server_process>(program, words, limit);
    address_ = server_->address();
    description_ = model_->description() + ", " + values.string("dtype");
  }

  const endpoint &address() const { return address_; }
  const std::string &description() const { return description_; }

private:
  std::optional<model_directory> model_;
  std::unique_ptr<server_process> server_;
  endpoint address_;
  std::string description_;
};

void run(const runtime::parsed_command &arguments, report &out) {
  const auto &values = arguments.own;
  const auto repetitions = values.integer("repetitions");
  load_settings settings = settings_of(values);
  const subject server(arguments);
  std::vector<series> all;
  for (const auto clients : values.get<std::vector<std::int64_t>>("clients"))
    all.push_back({clients, {}, {}, {}});
  for (std::int64_t r = -1; r < repetitions; ++r)
    for (series &s : all) {
      settings.clients = s.clients;
      const auto round = run_closed_loop(server.address(), settings);
      if (r >= 0)
        add(s, round);
    }
  out.tables.push_back(
      result_table(all, server.description(), settings, repetitions));
}

runtime::option_table options() {
  return with_model_options(
      {{.name = "host",
        .fallback = "127.0.0.1",
        .help = "loopback address of a server that runs already"},
       {.name = "port",
        .kind = option_kind::integer,
        .help = "port of a server that runs already",
        .least = 1,
        .most = 65535},
       {.name = "spawn",
        .help = "path of the ganglion program: start a server with it; what "
                "follows -- goes to it"},
       {.name = "dtype",
        .kind = option_kind::choice,
        .fallback = "bf16",
        .help = "element type of the server that is started",
        .choices = {"f32", "f16", "bf16"}},
       {.name = "clients",
        .kind = option_kind::integer_list,
        .fallback = "1,8,32",
        .help = "numbers of clients, comma-separated",
        .least = 1,
        .most = 1024},
       {.name = "requests",
        .kind = option_kind::integer,
        .fallback = "3",
        .help = "requests of each client in a round",
        .least = 1,
        .most = 100000},
       {.name = "prompt_length",
        .kind = option_kind::integer,
        .fallback = "128",
        .help = "characters of each prompt; tokens with a random model",
        .least = 1,
        .most = 1 << 20},
       {.name = "new_tokens",
        .kind = option_kind::integer,
        .fallback = "64",
        .help = "tokens of each answer",
        .least = 1,
        .most = 1 << 20},
       {.name = "repetitions",
        .kind = option_kind::integer,
        .fallback = "3",
        .help = "rounds with each number of clients",
        .least = 1,
        .most = 1000},
       {.name = "limit",
        .kind = option_kind::real,
        .fallback = "120",
        .help = "seconds that a round, or the start of the server, may take",
        .least = 0.1,
        .most = 86400}});
}

} // namespace

mode serve_mode() {
  return {{.name = "serve",
           .summary = "Closed loop of clients over HTTP",
           .positional = "[-- SERVER-OPTIONS]",
           .max_positionals = 64,
           .takes_engine_options = false,
           .options = options()},
          run};
}

} // namespace ganglion::benchmarks
