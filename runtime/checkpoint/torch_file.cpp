#include "runtime/checkpoint/torch_file.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/state_dict.hpp"
#include "runtime/checkpoint/torch_tensor.hpp"
#include "runtime/checkpoint/unpickler.hpp"
#include "runtime/checkpoint/zip_archive.hpp"

#include <utility>

namespace ganglion::runtime {

namespace {

constexpr std::string_view pickle_name = "data.pkl";

/// Before 1.6 a file was several pickles in a row, each with this mark.
void refuse_legacy(std::span<const std::byte> bytes, const std::string &where) {
  if (!bytes.empty() && bytes[0] == std::byte{0x80})
    throw error(error_code::unsupported,
                "in the legacy format of PyTorch before 1.6: refused; load "
                "and save it again with a later PyTorch",
                where);
}

/// The folder in the archive that holds everything, with its slash.
std::string_view find_folder(const zip_archive &archive,
                             const std::string &where) {
  for (const auto &[name, bytes] : archive.entries())
    if (const auto slash = name.find('/');
        slash != name.npos && name.substr(slash + 1) == pickle_name)
      return name.substr(0, slash + 1);
  throw error(error_code::corrupt_data,
              "a zip archive, but not one that torch.save wrote: no data.pkl",
              where);
}

} // namespace

/// Fills a `torch_file` from its bytes.
class torch_file_reader {
public:
  torch_file_reader(std::span<const std::byte> bytes, std::string where)
      : copies_left_(bytes.size()) {
    refuse_legacy(bytes, where);
    archive_ = zip_archive::parse(bytes, where);
    out_.where_ = std::move(where);
    folder_ = find_folder(archive_, out_.where_);
    check_kind();
    pickle_ = unpickle(*find(pickle_name), out_.where_);
  }

  torch_file read_all() {
    for (const auto &[name, ref] : read_state_dict(pickle_, out_.where_))
      add(name, ref);
    return std::move(out_);
  }

  torch_file read_one(const std::string &name) {
    if (!is_tensor(pickle_, pickle_.root))
      throw error(error_code::corrupt_data, "expected one tensor", out_.where_,
                  name);
    add(name, pickle_.root);
    return std::move(out_);
  }

private:
  const std::span<const std::byte> *find(std::string_view name) const {
    return archive_.find(std::string(folder_) + std::string(name));
  }

  void check_kind() const {
    if (find("constants.pkl"))
      throw error(error_code::unsupported,
                  "a TorchScript archive: refused; expected a state dict",
                  out_.where_);
    const auto *order = find("byteorder");
    if (order && (order->empty() || order->front() != std::byte{'l'}))
      throw error(error_code::unsupported,
                  "not little-endian: refused; save it again on a "
                  "little-endian machine",
                  out_.where_, "byteorder");
  }

  [[noreturn]] void fail(const std::string &message,
                         const std::string &name) const {
    throw error(error_code::corrupt_data, message, out_.where_, name);
  }

  std::span<const std::byte> storage_of(const torch_tensor &tensor,
                                        const std::string &name) const {
    const auto *entry = find("data/" + std::string(tensor.storage));
    if (!entry)
      fail("the archive lacks its storage data/" + std::string(tensor.storage),
           name);
    if (entry->size() < tensor.storage_bytes)
      fail("its storage should have " + std::to_string(tensor.storage_bytes) +
               " bytes, has " + std::to_string(entry->size()),
           name);
    return entry->first(tensor.storage_bytes);
  }

  void add(const std::string &name, pickle_ref ref) {
    auto tensor = read_torch_tensor(pickle_, ref, out_.where_, name);
    const auto storage = storage_of(tensor, name);
    const std::size_t element = size_of(tensor.dtype);
    const auto end = end_of(tensor.layout);
    const auto size = byte_size(tensor.dtype, tensor.layout.dims);
    if (!end || !size || *end > storage.size() / element)
      fail(std::string(to_string(tensor.dtype)) + " " +
               dims_text(tensor.layout.dims) + " with strides " +
               dims_text(tensor.layout.strides) + " from element " +
               std::to_string(tensor.layout.offset) +
               " lies outside its storage of " +
               std::to_string(storage.size()) + " bytes",
           name);
    const auto bytes =
        is_packed(tensor.layout)
            ? storage.subspan(static_cast<std::size_t>(tensor.layout.offset) *
                                  element,
                              *size)
            : copy(tensor, storage, *size, name);
    out_.tensors_.push_back(
        {name, tensor.dtype, std::move(tensor.layout.dims), bytes});
  }

  std::span<const std::byte> copy(const torch_tensor &tensor,
                                  std::span<const std::byte> storage,
                                  std::uint64_t size, const std::string &name) {
    if (size > copies_left_)
      fail("tensors that are not row by row would take more bytes than the "
           "file has",
           name);
    copies_left_ -= size;
    out_.copies_.push_back(pack(tensor.layout, storage, size_of(tensor.dtype)));
    return out_.copies_.back();
  }

  torch_file out_;
  zip_archive archive_;
  std::string_view folder_;
  pickle pickle_;
  std::uint64_t copies_left_; ///< bytes
};

torch_file torch_file::open(const std::string &path) {
  auto mapping = mapped_file::open(path);
  auto out = parse(mapping.bytes(), path);
  out.file_ = std::move(mapping);
  return out;
}

torch_file torch_file::open_tensor(const std::string &path,
                                   const std::string &name) {
  auto mapping = mapped_file::open(path);
  auto out = torch_file_reader(mapping.bytes(), path).read_one(name);
  out.file_ = std::move(mapping);
  return out;
}

torch_file torch_file::parse(std::span<const std::byte> bytes,
                             std::string where) {
  return torch_file_reader(bytes, std::move(where)).read_all();
}

} // namespace ganglion::runtime
