// The graph: a module owns computations, a computation owns instructions in
// an order where operands come before their users.
#pragma once

#include "hlo/attributes.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ganglion::hlo {

/// One operation. Owned by its computation; operands belong to the same
/// computation and come earlier in its order.
class instruction {
public:
  instruction(opcode o, shape s, std::vector<instruction *> inputs,
              attributes a)
      : op(o),
        form(std::move(s)),
        operands(std::move(inputs)),
        attrs(std::move(a)) {}

  opcode op;
  shape form;
  std::vector<instruction *> operands;
  attributes attrs;
  /// Unique within the computation, without the leading '%'.
  std::string name;

  instruction *operand(std::size_t i) const { return operands[i]; }
};

class computation {
public:
  explicit computation(std::string name) : name_(std::move(name)) {}

  /// Appends an instruction; names it "opcode.N" unless `name` is given.
  instruction *append(opcode op, shape form,
                      std::vector<instruction *> operands, attributes attrs,
                      std::string name = {});

  const std::string &name() const { return name_; }
  const std::vector<std::unique_ptr<instruction>> &instructions() const {
    return instructions_;
  }
  /// Parameters in order of their numbers.
  std::vector<instruction *> parameters() const;
  instruction *root() const { return root_; }
  void set_root(instruction *root) { root_ = root; }

  /// Replaces the instruction list (passes do this); the root must be in it.
  void replace_all(std::vector<std::unique_ptr<instruction>> instructions,
                   instruction *root);
  /// Gives up the instruction list, leaving the computation empty.
  std::vector<std::unique_ptr<instruction>> take_all();

private:
  void note_name(const std::string &name);

  std::string name_;
  std::vector<std::unique_ptr<instruction>> instructions_;
  instruction *root_ = nullptr;
  std::int64_t next_id_ = 0;
};

/// What may still be read of one module in a file.
struct read_budget {
  std::size_t constant_bytes = std::size_t{1} << 30;
  std::int64_t instructions = 1 << 18;
};

/// An output element of the entry that shares memory with a parameter.
struct alias {
  std::int64_t output_index = 0;
  std::int64_t parameter_number = 0;
  bool must = true;
  friend bool operator==(const alias &, const alias &) = default;
};

class module;
/// A deep copy.
std::unique_ptr<module> clone(const module &source);

/// All computations, callees before callers, the entry last: the order in
/// files.
std::vector<const computation *> callees_first(const module &m);

class module {
public:
  explicit module(std::string name) : name_(std::move(name)) {}

  /// A new computation whose name is made unique. The last one added through
  /// `set_entry` is what runs.
  computation *add_computation(std::string name);
  /// The computation called `name`, or null.
  computation *find_computation(const std::string &name) const;
  /// Numbers for collectives, unique within the module, from 1.
  std::int64_t next_channel_id() { return ++last_channel_id_; }
  /// Keeps `next_channel_id` clear of a number that is already in use.
  void note_channel_id(std::int64_t id) {
    last_channel_id_ = std::max(last_channel_id_, id);
  }

  const std::string &name() const { return name_; }
  computation *entry() const { return entry_; }
  void set_entry(computation *entry) { entry_ = entry; }
  const std::vector<std::unique_ptr<computation>> &computations() const {
    return computations_;
  }
  /// Drops computations that nothing reachable from the entry calls.
  void remove_unused_computations();

  std::vector<alias> aliases;
  std::int64_t num_partitions = 1;
  /// Bodies of composites already built, by name, attributes and shapes; only
  /// a builder's memory, empty in parsed or cloned modules.
  std::unordered_map<std::string, computation *> composite_bodies;

private:
  friend std::unique_ptr<module> clone(const module &source);

  std::string name_;
  std::vector<std::unique_ptr<computation>> computations_;
  std::unordered_map<std::string, computation *> by_name_;
  computation *entry_ = nullptr;
  std::int64_t last_channel_id_ = 0;
};

} // namespace ganglion::hlo
