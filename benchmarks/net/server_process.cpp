#include "benchmarks/net/server_process.hpp"

#include "benchmarks/net/response_reader.hpp"
#include "benchmarks/net/stream_client.hpp"
#include "hlo/support/error.hpp"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace ganglion::benchmarks {

namespace {

/// Starts `words` with its output going to `output`.
pid_t spawn(std::vector<std::string> words, int output) {
  std::vector<char *> pointers;
  for (auto &w : words)
    pointers.push_back(w.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  pid_t process = -1;
  const int reason = ::posix_spawnp(&process, words[0].c_str(), &actions,
                                    nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (reason != 0)
    throw error(error_code::not_found,
                "cannot start '" + words[0] + "': " + std::strerror(reason),
                "command line", "--spawn");
  return process;
}

/// One try; false when nobody answers or the answer is another. The contract
/// says 200 while a model loads, too: the word counts.
bool is_healthy(const endpoint &server, time_point deadline) {
  try {
    loopback_socket socket(server);
    socket.send(get_request(server, "/ping"), deadline);
    response_reader reader;
    std::string body;
    while (!reader.done() && socket.wait_readable(deadline)) {
      char buffer[4096];
      const auto n = socket.receive(buffer, sizeof buffer);
      if (n == 0)
        return false;
      if (n > 0)
        body += reader.feed({buffer, static_cast<std::size_t>(n)});
    }
    return reader.status() == 200 &&
           body.find("\"Healthy\"") != std::string::npos;
  } catch (const error &e) {
    if (e.code() != error_code::unavailable)
      throw;
    return false;
  }
}

} // namespace

endpoint endpoint_in(const std::string &line) {
  constexpr std::string_view scheme = "http://";
  endpoint out;
  const auto begin = line.find(scheme);
  const auto colon = line.find(':', begin + scheme.size());
  if (begin == std::string::npos || colon == std::string::npos)
    return out;
  out.host = line.substr(begin + scheme.size(), colon - begin - scheme.size());
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), out.port);
  return out;
}

void wait_until_healthy(const endpoint &server, time_point deadline) {
  constexpr auto between = std::chrono::milliseconds(50);
  while (!is_healthy(server, deadline)) {
    if (steady_clock().now() > deadline)
      throw error(error_code::timed_out, "the server did not become ready",
                  "GET /ping");
    std::this_thread::sleep_for(between);
  }
}

server_process::server_process(const std::string &program,
                               const std::vector<std::string> &arguments,
                               duration limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw error(error_code::unavailable, std::strerror(errno), "pipe");
  output_ = ends[0];
  try {
    std::vector<std::string> words{program, "serve", "--port", "0"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    process_ = spawn(std::move(words), ends[1]);
    ::close(std::exchange(ends[1], -1));
    const auto deadline = steady_clock().now() + limit;
    read_address(output_, deadline);
    wait_until_healthy(address_, deadline);
  } catch (...) {
    if (ends[1] >= 0)
      ::close(ends[1]);
    stop();
    throw;
  }
}

server_process::~server_process() { stop(); }

void server_process::read_address(int output, time_point deadline) {
  std::string text;
  while (address_.port == 0) {
    pollfd readable{output, POLLIN, 0};
    char buffer[1024];
    const auto n = ::poll(&readable, 1, milliseconds_until(deadline)) > 0
                       ? ::read(output, buffer, sizeof buffer)
                       : 0;
    if (n <= 0)
      throw error(error_code::unavailable,
                  "the server printed no address: '" + text + "'", "serve",
                  "--spawn");
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.ends_with('\n'))
      address_ = endpoint_in(text);
  }
}

void server_process::stop() {
  if (output_ >= 0)
    ::close(std::exchange(output_, -1));
  if (process_ < 0)
    return;
  ::kill(process_, SIGTERM);
  // Nothing runs any more, so draining takes no time.
  for (int tries = 0; tries < 100; ++tries) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) {
      process_ = -1;
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  ::kill(process_, SIGKILL);
  ::waitpid(std::exchange(process_, -1), nullptr, 0);
}

} // namespace ganglion::benchmarks
