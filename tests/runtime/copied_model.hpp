// A fixture's directory that a test may spoil: links to its files, and a
// config.json of its own.
#pragma once

#include "runtime/json/edit.hpp"
#include "tests/fixtures.hpp"
#include "tests/runtime/scratch_directory.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ganglion::testing {

class copied_model {
public:
  /// `name` as under tests/fixtures/models.
  explicit copied_model(const std::string &name)
      : from_(fixture("models/" + name)) {
    for (const auto &entry : std::filesystem::directory_iterator(from_))
      std::filesystem::create_symlink(entry.path(),
                                      *this / entry.path().filename().string());
    set({});
  }

  const std::string &path() const { return directory_.path(); }
  std::string operator/(const std::string &name) const {
    return directory_ / name;
  }

  /// config.json with these members, JSON texts, in place of its own.
  void set(const std::vector<std::pair<std::string, std::string>> &members) {
    const auto config = json::document::load(from_ + "/config.json");
    write("config.json", json::with_members(config.root(), members));
  }

  /// A file of its own in place of the link.
  void write(const std::string &name, const std::string &text) {
    std::filesystem::remove(*this / name);
    directory_.write(name, text);
  }

  std::string read(const std::string &name) const {
    std::ifstream file(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

private:
  std::string from_;
  scratch_directory directory_;
};

} // namespace ganglion::testing
