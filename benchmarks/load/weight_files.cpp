#include "benchmarks/load/weight_files.hpp"

#include "benchmarks/roofline/roofline.hpp"
#include "hlo/support/aligned_buffer.hpp"
#include "hlo/support/clock.hpp"
#include "hlo/support/error.hpp"
#include "neuron/cpu/thread_team.hpp"
#include "runtime/checkpoint/mapped_file.hpp"

#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace ganglion::benchmarks {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> weight_files(const std::string &directory) {
  std::vector<std::string> out;
  for (const auto &entry : fs::recursive_directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (entry.is_regular_file() &&
        (name.ends_with(".safetensors") || name.ends_with(".bin")))
      out.push_back(entry.path().string());
  }
  if (out.empty())
    throw error(error_code::not_found, "has no weights", directory);
  return out;
}

void read_file(const std::string &path) {
  static std::vector<char> buffer(4 << 20);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  while (fd >= 0 && ::read(fd, buffer.data(), buffer.size()) > 0) {
  }
  ::close(fd);
}

/// Every thread takes each `threads`-th piece.
void copy_file(const std::string &path, int threads) {
  constexpr std::size_t piece = std::size_t{2} << 20;
  const auto file = runtime::mapped_file::open(path);
  const auto from = file.bytes();
  aligned_buffer to(from.size());
  time_together(threads, [&](int member) {
    const std::size_t stride = piece * static_cast<std::size_t>(threads);
    for (auto at = piece * static_cast<std::size_t>(member); at < from.size();
         at += stride)
      std::memcpy(to.data() + at, from.data() + at,
                  std::min(piece, from.size() - at));
  });
}

template <class Work>
double seconds_of(Work work) {
  const auto start = steady_clock().now();
  work();
  return std::chrono::duration<double>(steady_clock().now() - start).count();
}

} // namespace

double seconds_to_read(const std::string &directory) {
  const auto files = weight_files(directory);
  return seconds_of([&] {
    for (const auto &path : files)
      read_file(path);
  });
}

double seconds_to_copy(const std::string &directory) {
  const auto files = weight_files(directory);
  const auto threads = static_cast<int>(neuron::allowed_cpus().size());
  return seconds_of([&] {
    for (const auto &path : files)
      copy_file(path, threads);
  });
}

void evict(const std::string &directory) {
  for (const auto &entry : fs::recursive_directory_iterator(directory)) {
    const int fd = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
      continue;
    ::fdatasync(fd); // what was not written yet stays in memory
    ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    ::close(fd);
  }
}

} // namespace ganglion::benchmarks
