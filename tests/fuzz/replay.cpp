// Runs a fuzz entry point once over every file of the directories given: seeds
// as regression tests, without libFuzzer.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data,
                                      std::size_t size);

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; ++i)
    for (const auto &entry : std::filesystem::directory_iterator(argv[i])) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      // Named before it runs: the entry point may abort.
      std::printf("%s\n", entry.path().c_str());
      std::fflush(stdout);
      LLVMFuzzerTestOneInput(
          reinterpret_cast<const std::uint8_t *>(bytes.data()), bytes.size());
      ++count;
    }
  if (count == 0) {
    std::fprintf(stderr, "no seeds found\n");
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
