// Walks a syntax tree and writes the prompt.
#pragma once

#include "runtime/chat/rendering.hpp"
#include "runtime/chat/scope.hpp"
#include "runtime/chat/syntax_tree.hpp"

namespace ganglion::runtime::chat {

class interpreter {
public:
  explicit interpreter(rendering &run) : run_(run) {}

  /// How a block ended.
  enum class flow { normal, leave, next };

  flow execute(const block &all, scope &variables, std::string &out);
  value evaluate(const expression &e, scope &variables);
  /// The text of a macro called with `given`.
  value call_macro(const macro_body &macro, scope &around,
                   const arguments &given);

private:
  flow execute(const statement &s, scope &variables, std::string &out);
  flow execute_branch(const statement &s, scope &variables, std::string &out);
  void execute_with(const statement &s, scope &variables, std::string &out);
  void execute_call_block(const statement &s, scope &variables,
                          std::string &out);
  void execute_loop(const statement &s, const value &items, scope &variables,
                    std::string &out, std::size_t depth);
  void assign(const target &to, value item, scope &variables);
  void unpack(const target &to, const value &item, scope &variables);
  void bind_parameters(const macro_body &macro, scope &inner,
                       const arguments &given);
  /// The block's text, through the filter if there is one.
  value captured(const block &body, scope &variables, const expression *filter);

  value evaluate_name(const expression &e, const scope &variables);
  value evaluate_list(const expression &e, scope &variables);
  value evaluate_dict(const expression &e, scope &variables);
  value evaluate_slice(const expression &e, scope &variables);
  value evaluate_call(const expression &e, scope &variables,
                      const value *caller = nullptr);
  value evaluate_filter(const expression &e, scope &variables,
                        const value *block_text);
  value evaluate_logic(const expression &e, scope &variables);
  value evaluate_compare(const expression &e, scope &variables);
  value evaluate_concat(const expression &e, scope &variables);
  value evaluate_conditional(const expression &e, scope &variables);
  arguments evaluate_arguments(const given_arguments &given, scope &variables);

  value call_value(const value &callee, const arguments &given,
                   const expression &e);

  scope &new_scope(scope &around);

  rendering &run_;
};

/// A macro with the scope it was made in.
class macro_object : public object {
public:
  macro_object(interpreter &walker, const macro_body &macro, scope &around)
      : walker_(walker),
        macro_(macro),
        around_(around) {}
  std::string type_name() const override { return "Macro"; }
  bool callable() const override { return true; }
  value call(rendering &, const arguments &given) override {
    return walker_.call_macro(macro_, around_, given);
  }

private:
  interpreter &walker_;
  const macro_body &macro_;
  scope &around_;
};

} // namespace ganglion::runtime::chat
