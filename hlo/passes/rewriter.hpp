// Rebuilds a computation in order while instructions are kept, replaced or
// added: what passes are written with.
#pragma once

#include "hlo/module.hpp"

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace ganglion::hlo {

/// Walks one computation once, in time linear in its size (names apart).
class rewriter {
public:
  explicit rewriter(computation &target) : target_(target) {}

  /// Decides about one instruction, whose operands are final already: returns
  /// it to keep it, or an earlier value of the same shape that replaces it.
  using visitor = std::function<instruction *(instruction &)>;

  /// Visits every instruction; returns whether any was replaced. Throws what
  /// `visit` throws, and then the computation is lost.
  bool run(const visitor &visit);

  /// During `run`: adds an instruction before the one being visited. Its name
  /// is `hint`, made unique.
  instruction *emit(opcode op, shape form, std::vector<instruction *> operands,
                    attributes attrs, const std::string &hint);
  /// The same under a name made from the operation.
  instruction *emit(opcode op, shape form, std::vector<instruction *> operands,
                    attributes attrs = {});

private:
  std::string unique_name(const std::string &hint);

  computation &target_;
  std::vector<std::unique_ptr<instruction>> kept_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::int64_t> next_number_;
};

} // namespace ganglion::hlo
