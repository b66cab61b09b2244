// A built program as a child whose output a test reads.
#pragma once

#include "tests/fixtures.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ganglion::testing {

class child_process {
public:
  explicit child_process(std::vector<std::string> arguments,
                         const std::string &name = "ganglion") {
    const std::string program = GANGLION_BINARY_DIR "/bin/" + name;
    arguments.insert(arguments.begin(), program);
    std::vector<char *> argv;
    for (auto &argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0)
      throw std::runtime_error("pipe2");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], 1);
    const int failed = ::posix_spawn(&pid_, program.c_str(), &actions, nullptr,
                                     argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    output_ = pipe[0];
    if (failed != 0)
      throw std::runtime_error("cannot run " + program);
  }
  child_process(const child_process &) = delete;
  child_process &operator=(const child_process &) = delete;
  ~child_process() {
    close_output();
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
  }

  /// Up to the next newline or the end.
  std::string read_line() {
    std::string out;
    for (char c = 0; ::read(output_, &c, 1) == 1 && c != '\n';)
      out += c;
    return out;
  }
  /// Everything up to the end.
  std::string read_all() {
    std::string out;
    for (char c = 0; ::read(output_, &c, 1) == 1;)
      out += c;
    return out;
  }
  void signal(int number) { ::kill(pid_, number); }
  void close_output() {
    if (output_ >= 0)
      ::close(output_);
    output_ = -1;
  }
  /// Waits for the end; the exit code, or 128 and the signal that ended it.
  int wait() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

private:
  pid_t pid_ = 0;
  int output_ = -1;
};

} // namespace ganglion::testing
