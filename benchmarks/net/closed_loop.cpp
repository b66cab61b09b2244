#include "benchmarks/net/closed_loop.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <algorithm>
#include <memory>
#include <random>

#include <poll.h>

namespace ganglion::benchmarks {

namespace {

std::string request_body(const load_settings &s, std::uint64_t number) {
  json::writer w;
  w.begin_object();
  w.key("inputs").string(prompt_text(s.prompt_length, number));
  w.key("parameters").begin_object();
  w.key("max_new_tokens").integer(s.new_tokens);
  w.key("ignore_eos").boolean(true).end_object();
  w.key("stream").boolean(true);
  return w.end_object().text();
}

using clients = std::vector<std::unique_ptr<stream_client>>;

/// Lets every client with something to read, read.
void serve_readable(clients &all, time_point deadline, client_samples &into) {
  std::vector<pollfd> polled;
  std::vector<stream_client *> owners;
  for (const auto &c : all)
    if (c->busy()) {
      polled.push_back({c->descriptor(), POLLIN, 0});
      owners.push_back(c.get());
    }
  if (::poll(polled.data(), polled.size(), milliseconds_until(deadline)) == 0)
    throw error(error_code::timed_out,
                "the round was not over within its limit", "closed loop",
                "limit");
  for (std::size_t i = 0; i < polled.size(); ++i)
    if (polled[i].revents != 0)
      owners[i]->read(deadline, into);
}

} // namespace

std::string prompt_text(std::int64_t length, std::uint64_t number) {
  std::mt19937_64 random(number);
  std::string out;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto draw = random();
    out += i % 6 == 5 ? ' ' : static_cast<char>('a' + draw % 26);
  }
  return out;
}

load_result run_closed_loop(const endpoint &server, const load_settings &s) {
  load_result out;
  const auto start = steady_clock().now();
  const auto deadline = start + s.limit;
  clients all;
  std::uint64_t sent = 0;
  for (std::int64_t i = 0; i < s.clients; ++i) {
    const auto next =
        [&s, &sent, left = s.requests]() mutable -> std::optional<std::string> {
      if (left-- <= 0)
        return std::nullopt;
      return request_body(s, sent++);
    };
    all.push_back(std::make_unique<stream_client>(server, next));
    all.back()->start(deadline);
  }
  const auto busy = [&] {
    return std::ranges::any_of(all, [](const auto &c) { return c->busy(); });
  };
  while (busy())
    serve_readable(all, deadline, out.samples);
  out.seconds =
      std::chrono::duration<double>(steady_clock().now() - start).count();
  return out;
}

} // namespace ganglion::benchmarks
