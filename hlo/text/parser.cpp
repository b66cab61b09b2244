#include "hlo/text/parser.hpp"

#include "hlo/support/error.hpp"
#include "hlo/text/instruction_parser.hpp"
#include "hlo/text/module_header.hpp"
#include "hlo/text/shape_text.hpp"
#include "hlo/verifier.hpp"

namespace ganglion::hlo {

namespace {

using text::lexer;

/// Reads computations one after the other; callees come first.
class module_parser {
public:
  module_parser(std::string_view input, std::string where)
      : where_(std::move(where)),
        in_(input, where_) {}

  std::unique_ptr<module> read() {
    header_ = text::read_module_header(in_);
    module_ = std::make_unique<module>(header_.name);
    module_->num_partitions = header_.num_partitions;
    while (!in_.at_end())
      read_computation();
    if (!module_->entry())
      in_.fail("no ENTRY computation");
    text::apply_module_header(in_, header_, *module_);
    check();
    return std::move(module_);
  }

private:
  void check() const;
  void read_computation();
  bool read_entry_mark();
  void read_execution_thread();

  std::string where_;
  lexer in_;
  text::module_header header_;
  std::unique_ptr<module> module_;
  read_budget budget_;
};

/// Verifies; an error names the text besides the module.
void module_parser::check() const {
  try {
    verify(*module_);
  } catch (const error &e) {
    throw error(e.code(), e.what(), where_ + ": " + e.where(), e.field());
  }
}

bool module_parser::read_entry_mark() {
  lexer ahead = in_;
  if (!ahead.at_name() || ahead.name() != "ENTRY" ||
      !(ahead.peek("%") || ahead.at_name()))
    return false;
  in_ = ahead;
  return true;
}

void module_parser::read_computation() {
  const std::size_t place = in_.place();
  const bool is_entry = read_entry_mark();
  const std::string name(in_.value_name());
  if (module_->find_computation(name))
    in_.fail_at(place, "computation '" + name + "' is defined twice");
  const auto stated = text::read_signature(in_, true);
  // Registered under a name only after it is read: no computation can call
  // itself.
  computation body(name);
  text::instruction_parser(in_, *module_, body, budget_).read_body();
  read_execution_thread();
  if (stated && !text::matches(*stated, body))
    in_.fail_at(place, "the signature of '" + name +
                           "' differs from its parameters and root");
  instruction *root = body.root();
  computation *added = module_->add_computation(name);
  added->replace_all(body.take_all(), root);
  if (is_entry && module_->entry())
    in_.fail_at(place, "a second ENTRY");
  if (is_entry)
    module_->set_entry(added);
}

/// "}, execution_thread="main"": where XLA would run it, always the main one.
void module_parser::read_execution_thread() {
  if (!in_.accept(","))
    return;
  in_.expect("execution_thread");
  in_.expect("=");
  const std::size_t place = in_.place();
  if (in_.quoted() != "main")
    in_.fail_at(place, "only execution_thread=\"main\" is accepted");
}

} // namespace

std::unique_ptr<module> parse(std::string_view input, std::string where) {
  return module_parser(input, std::move(where)).read();
}

} // namespace ganglion::hlo
