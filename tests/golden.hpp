// A golden checkpoint of the fixtures with what HuggingFace's own code made of
// it.
#pragma once

#include "runtime/checkpoint/convert.hpp"
#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/json/reader.hpp"
#include "tests/fixtures.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace ganglion::testing {

inline std::vector<std::int32_t> ids_of(const json::value &list) {
  std::vector<std::int32_t> out;
  for (const auto &item : list.items())
    out.push_back(static_cast<std::int32_t>(item.as_int()));
  return out;
}

inline std::vector<std::vector<std::int32_t>> rows_of(const json::value &list) {
  std::vector<std::vector<std::int32_t>> out;
  for (const auto &item : list.items())
    out.push_back(ids_of(item));
  return out;
}

struct golden {
  explicit golden(const std::string &name)
      : directory(fixture("models/" + name)),
        expected(json::document::load(directory + "/expected.json")),
        tensors(runtime::safetensors_file::open(directory +
                                                "/expected.safetensors")) {}
  std::string directory;
  json::document expected;
  runtime::safetensors_file tensors;

  double tolerance() const {
    return expected.root().at("suggested_atol").as_double();
  }
  std::vector<float> tensor(const std::string &name) const {
    const auto view = tensors.find(name);
    std::vector<float> out(view->element_count());
    runtime::copy_as_float(*view, 0, out);
    return out;
  }
};

/// Largest difference between the last values of `got` and all of `want`.
inline double worst(std::span<const float> got, std::span<const float> want) {
  double most = 0;
  const auto tail = got.last(want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    most = std::max(most, std::abs(double(tail[i]) - double(want[i])));
  return most;
}

/// The names of all golden checkpoints there are.
inline std::vector<std::string> golden_names() {
  std::vector<std::string> out;
  for (const auto &entry :
       std::filesystem::directory_iterator(fixture("models")))
    out.push_back(entry.path().filename().string());
  std::ranges::sort(out);
  return out;
}

} // namespace ganglion::testing
