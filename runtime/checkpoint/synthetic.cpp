#include "runtime/checkpoint/synthetic.hpp"

#include "runtime/checkpoint/file_error.hpp"
#include "runtime/checkpoint/normal_table.hpp"
#include "runtime/checkpoint/synthetic_shape.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <filesystem>
#include <fstream>

namespace ganglion::runtime {

namespace {

/// What one task makes and writes: large enough for the disk, small enough
/// that a task per thread takes little memory. A fixed size, because pieces
/// are what streams of random numbers belong to.
constexpr std::uint64_t piece_bytes = 4 << 20;

struct piece {
  std::size_t tensor;
  std::uint64_t offset;
  std::uint64_t size;
};

std::vector<piece> pieces_of(const std::vector<tensor_spec> &tensors) {
  std::vector<piece> out;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const auto total = byte_size(tensors[i].dtype, tensors[i].dims).value();
    for (std::uint64_t at = 0; at < total; at += piece_bytes)
      out.push_back({i, at, std::min(piece_bytes, total - at)});
  }
  return out;
}

void fill_ones(tensor_dtype dtype, std::vector<std::byte> &out) {
  std::vector<std::byte> one;
  append_element(dtype, 1.0f, one);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = one[i % one.size()];
}

void write_weights(const std::string &path, const synthetic_spec &spec) {
  safetensors_writer writer(path, synthetic_tensors(spec), {{"format", "pt"}});
  const normal_table normal(spec.dtype, 0.02);
  const auto pieces = pieces_of(writer.tensors());
  const auto run = [&](const tbb::blocked_range<std::size_t> &range) {
    std::vector<std::byte> bytes;
    for (std::size_t i = range.begin(); i != range.end(); ++i) {
      bytes.resize(pieces[i].size);
      if (is_norm_weight(writer.tensors()[pieces[i].tensor].name))
        fill_ones(spec.dtype, bytes);
      else
        normal.fill((spec.seed << 32) + i, bytes);
      writer.write(pieces[i].tensor, pieces[i].offset, bytes);
    }
  };
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, pieces.size()), run);
  writer.commit();
}

void write_text(const std::string &path, const std::string &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file)
    throw file_error(path, "write");
}

} // namespace

void write_synthetic_checkpoint(const std::string &directory,
                                const synthetic_spec &spec) {
  check_spec(spec);
  std::error_code status;
  std::filesystem::create_directories(directory, status);
  if (status)
    throw file_error(directory, "create directory", status.value());
  write_text(directory + "/config.json", synthetic_config(spec));
  write_text(directory + "/generation_config.json",
             synthetic_generation_config(spec));
  write_weights(directory + "/model.safetensors", spec);
}

std::uint64_t parameter_count(const synthetic_spec &spec) {
  check_spec(spec);
  std::uint64_t total = 0;
  for (const auto &tensor : synthetic_tensors(spec))
    total +=
        byte_size(tensor.dtype, tensor.dims).value() / size_of(tensor.dtype);
  return total;
}

} // namespace ganglion::runtime
