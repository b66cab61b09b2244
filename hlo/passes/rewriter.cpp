#include "hlo/passes/rewriter.hpp"

#include "hlo/support/error.hpp"

namespace ganglion::hlo {

namespace {

/// Inlining can grow a graph without bound from a short text.
constexpr std::size_t max_instructions = std::size_t{1} << 18;

} // namespace

bool rewriter::run(const visitor &visit) {
  std::unordered_map<const instruction *, instruction *> replaced;
  const auto current = [&](instruction *i) {
    const auto found = replaced.find(i);
    return found == replaced.end() ? i : found->second;
  };
  instruction *root = target_.root();
  auto old = target_.take_all();
  for (const auto &i : old)
    names_.insert(i->name);
  // Replaced instructions stay in `old`, and so alive, until the end: their
  // addresses are keys.
  for (auto &i : old) {
    for (instruction *&operand : i->operands)
      operand = current(operand);
    instruction *result = visit(*i);
    if (result == i.get())
      kept_.push_back(std::move(i));
    else
      replaced[i.get()] = result;
  }
  target_.replace_all(std::move(kept_), current(root));
  return !replaced.empty();
}

instruction *rewriter::emit(opcode op, shape form,
                            std::vector<instruction *> operands,
                            attributes attrs, const std::string &hint) {
  if (kept_.size() >= max_instructions)
    throw error(error_code::unsupported, "the graph grows too large",
                "computation " + target_.name());
  kept_.push_back(std::make_unique<instruction>(
      op, std::move(form), std::move(operands), std::move(attrs)));
  kept_.back()->name = unique_name(hint);
  return kept_.back().get();
}

instruction *rewriter::emit(opcode op, shape form,
                            std::vector<instruction *> operands,
                            attributes attrs) {
  return emit(op, std::move(form), std::move(operands), std::move(attrs),
              std::string(to_string(op)));
}

std::string rewriter::unique_name(const std::string &hint) {
  if (names_.insert(hint).second)
    return hint;
  const auto dot = hint.rfind('.');
  const bool numbered =
      dot != std::string::npos && dot > 0 && dot + 1 < hint.size() &&
      hint.find_first_not_of("0123456789", dot + 1) == std::string::npos;
  const std::string base = numbered ? hint.substr(0, dot) : hint;
  std::int64_t &number = next_number_[base];
  for (;;) {
    std::string name = base + "." + std::to_string(++number);
    if (names_.insert(name).second)
      return name;
  }
}

} // namespace ganglion::hlo
