#include "apps/cli/module_values.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/safetensors.hpp"
#include "runtime/checkpoint/safetensors_writer.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace ganglion::apps {

namespace {

using hlo::element_type;
using runtime::tensor_dtype;

struct type_pair {
  element_type ours;
  tensor_dtype theirs;
};

constexpr type_pair types[] = {
    {element_type::pred, tensor_dtype::boolean},
    {element_type::s8, tensor_dtype::i8},
    {element_type::s32, tensor_dtype::i32},
    {element_type::s64, tensor_dtype::i64},
    {element_type::u8, tensor_dtype::u8},
    {element_type::u32, tensor_dtype::u32},
    {element_type::u64, tensor_dtype::u64},
    {element_type::f16, tensor_dtype::f16},
    {element_type::bf16, tensor_dtype::bf16},
    {element_type::f32, tensor_dtype::f32},
    {element_type::f64, tensor_dtype::f64},
};

tensor_dtype dtype_of(element_type type) {
  return std::find_if(std::begin(types), std::end(types),
                      [&](auto &pair) { return pair.ours == type; })
      ->theirs;
}

class argument_reader {
public:
  argument_reader(const hlo::module &m, const std::string &path)
      : module_(m),
        path_(path),
        file_(runtime::safetensors_file::open(path)) {}

  module_values read() {
    module_values out(static_cast<std::size_t>(module_.num_partitions));
    for (const auto *p : module_.entry()->parameters())
      for (std::size_t rank = 0; rank < out.size(); ++rank)
        out[rank].push_back(value_of(*p, rank));
    for (const auto &tensor : file_.tensors())
      if (!used_.contains(tensor.name))
        fail("is no parameter of the module", tensor.name);
    return out;
  }

private:
  [[noreturn]] void fail(const std::string &message,
                         const std::string &name) const {
    throw error(error_code::invalid_argument, message, path_, name);
  }

  const runtime::tensor_view &find(const hlo::instruction &p,
                                   std::size_t rank) {
    const auto number = std::to_string(p.attrs.parameter_number);
    const auto of_rank = "*" + std::to_string(rank);
    for (const std::string &name :
         {p.name + of_rank, p.name, number + of_rank, number})
      if (const auto *found = file_.find(name)) {
        used_.insert(name);
        return *found;
      }
    fail("missing: parameter " + number + ", " + to_string(p.form, false),
         p.name);
  }

  hlo::literal value_of(const hlo::instruction &p, std::size_t rank) {
    if (p.form.tuple)
      fail("is a tuple; only arrays can be given", p.name);
    const auto &tensor = find(p, rank);
    const auto wanted = dtype_of(p.form.type);
    if (tensor.dtype != wanted || tensor.dims != p.form.dimensions)
      fail("expected " + std::string(to_string(wanted)) + " " +
               runtime::dims_text(p.form.dimensions) + ", got " +
               std::string(to_string(tensor.dtype)) + " " +
               runtime::dims_text(tensor.dims),
           tensor.name);
    hlo::literal out(p.form);
    std::copy(tensor.bytes.begin(), tensor.bytes.end(), out.bytes().data());
    if (p.form.type == element_type::pred)
      for (std::byte &b : out.bytes())
        b = std::byte{b != std::byte{0}};
    return out;
  }

  const hlo::module &module_;
  const std::string &path_;
  runtime::safetensors_file file_;
  std::set<std::string> used_;
};

} // namespace

module_values read_arguments(const hlo::module &m, const std::string &path) {
  return argument_reader(m, path).read();
}

void write_results(const module_values &results, const std::string &path) {
  std::vector<runtime::tensor_view> tensors;
  for (std::size_t rank = 0; rank < results.size(); ++rank)
    for (std::size_t k = 0; k < results[rank].size(); ++k) {
      const hlo::literal &value = results[rank][k];
      auto name = std::to_string(k);
      if (results.size() > 1)
        name += "*" + std::to_string(rank);
      tensors.push_back({std::move(name), dtype_of(value.form().type),
                         value.form().dimensions, value.bytes()});
    }
  runtime::write_safetensors(path, tensors);
}

} // namespace ganglion::apps
