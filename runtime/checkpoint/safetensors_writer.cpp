#include "runtime/checkpoint/safetensors_writer.hpp"

#include "hlo/support/error.hpp"
#include "runtime/json/writer.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace ganglion::runtime {

namespace {

/// Header lengths are padded to this, so that the data begins aligned.
constexpr std::size_t alignment = 8;

std::string length_prefix(std::uint64_t length) {
  std::string out;
  for (int shift = 0; shift < 64; shift += 8)
    out += static_cast<char>(length >> shift & 0xff);
  return out;
}

void add_entry(json::writer &header, const tensor_spec &spec,
               std::uint64_t begin, std::uint64_t end) {
  header.key(spec.name).begin_object();
  header.key("dtype").string(to_string(spec.dtype));
  header.key("shape").begin_array();
  for (const std::int64_t dim : spec.dims)
    header.integer(dim);
  header.end_array().key("data_offsets").begin_array();
  header.integer(static_cast<std::int64_t>(begin));
  header.integer(static_cast<std::int64_t>(end));
  header.end_array().end_object();
}

void add_metadata(json::writer &header, const safetensors_metadata &metadata) {
  if (metadata.empty())
    return;
  header.key("__metadata__").begin_object();
  for (const auto &[key, text] : metadata)
    header.key(key).string(text);
  header.end_object();
}

std::vector<std::uint64_t> sizes_of(const std::vector<tensor_spec> &tensors,
                                    const std::string &path) {
  std::vector<std::uint64_t> out;
  std::set<std::string_view> seen{"__metadata__"};
  for (const auto &spec : tensors) {
    const auto size = byte_size(spec.dtype, spec.dims);
    if (!size)
      throw error(error_code::invalid_argument,
                  "impossible dimensions " + dims_text(spec.dims), path,
                  spec.name);
    if (!seen.insert(spec.name).second)
      throw error(error_code::invalid_argument, "tensor name is taken", path,
                  spec.name);
    out.push_back(*size);
  }
  return out;
}

} // namespace

safetensors_writer::safetensors_writer(std::string path,
                                       std::vector<tensor_spec> tensors,
                                       const safetensors_metadata &metadata)
    : tensors_(std::move(tensors)),
      sizes_(sizes_of(tensors_, path)),
      file_(std::move(path)) {
  const std::string header = lay_out(metadata);
  file_.write_at(0, std::as_bytes(std::span(header)));
  file_.resize(header.size() + total_);
}

/// Decides where each tensor goes; the length and the header to write first.
std::string safetensors_writer::lay_out(const safetensors_metadata &metadata) {
  std::vector<std::size_t> order(tensors_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) {
    return size_of(tensors_[i].dtype);
  });
  json::writer header;
  header.begin_object();
  add_metadata(header, metadata);
  begins_.resize(tensors_.size());
  for (const std::size_t i : order) {
    begins_[i] = total_;
    total_ += sizes_[i];
    add_entry(header, tensors_[i], begins_[i], total_);
  }
  std::string text = header.end_object().text();
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  for (auto &begin : begins_)
    begin += alignment + text.size();
  return length_prefix(text.size()) + text;
}

void safetensors_writer::write(std::size_t tensor, std::uint64_t offset,
                               std::span<const std::byte> bytes) {
  const std::uint64_t size = sizes_.at(tensor);
  if (offset > size || bytes.size() > size - offset)
    throw error(error_code::invalid_argument,
                std::to_string(bytes.size()) + " bytes at " +
                    std::to_string(offset) + " exceed the tensor's " +
                    std::to_string(size),
                file_.path(), tensors_[tensor].name);
  file_.write_at(begins_[tensor] + offset, bytes);
  written_ += bytes.size();
}

void safetensors_writer::commit() {
  require(written_ == total_, "a safetensors file is not written in full");
  file_.move_into_place();
}

void write_safetensors(const std::string &path,
                       std::span<const tensor_view> tensors,
                       const safetensors_metadata &metadata) {
  std::vector<tensor_spec> specs;
  for (const auto &tensor : tensors) {
    if (byte_size(tensor.dtype, tensor.dims) != tensor.bytes.size())
      throw error(error_code::invalid_argument,
                  dims_text(tensor.dims) + " does not take " +
                      std::to_string(tensor.bytes.size()) + " bytes",
                  path, tensor.name);
    specs.push_back({tensor.name, tensor.dtype, tensor.dims});
  }
  safetensors_writer writer(path, std::move(specs), metadata);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    writer.write(i, 0, tensors[i].bytes);
  writer.commit();
}

} // namespace ganglion::runtime
