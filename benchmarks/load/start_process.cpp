#include "benchmarks/load/start_process.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/reader.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

namespace ganglion::benchmarks {

namespace {

namespace fs = std::filesystem;

/// As one word of a shell's command.
std::string quoted(const std::string &word) {
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string output_of(const std::string &command) {
  const std::unique_ptr<FILE, int (*)(FILE *)> pipe(
      ::popen(command.c_str(), "r"), ::pclose);
  std::string out;
  char buffer[4096];
  while (pipe) {
    const auto count = std::fread(buffer, 1, sizeof buffer, pipe.get());
    if (count == 0)
      break;
    out.append(buffer, count);
  }
  return out;
}

} // namespace

start_figures start_elsewhere(const std::vector<std::string> &arguments) {
  std::string command =
      quoted(fs::read_symlink("/proc/self/exe").string()) + " load --once";
  for (const auto &a : arguments)
    command += " " + quoted(a);
  const auto text = output_of(command + " --json");
  if (text.empty())
    throw error(error_code::internal, "failed", command);
  const auto report = json::document::parse(text, command);
  const auto row = report.root().at("tables").items().at(0).at("rows").items();
  return {row.at(0).at("ready").as_double(),
          row.at(0).at("first_token").as_double(),
          row.at(0).at("peak").as_int(), row.at(0).at("compilations").as_int()};
}

void forget_peak() {
  // Linux, proc(5): 5 resets the peak.
  if (!(std::ofstream("/proc/self/clear_refs") << "5").flush())
    throw error(error_code::unavailable, "cannot be written",
                "/proc/self/clear_refs");
}

std::int64_t peak_resident() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      std::int64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes * 1024;
    }
  throw error(error_code::unavailable, "has no VmHWM", "/proc/self/status");
}

} // namespace ganglion::benchmarks
