// What has an identity while a template is rendered: namespaces, macros,
// generators, loops and functions.
#pragma once

#include "runtime/chat/value.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ganglion::runtime::chat {

class rendering;

struct arguments {
  std::vector<value> positional;
  std::vector<std::pair<std::string, value>> named;
};

/// Owned by the rendering that made it, or constant and static.
class object {
public:
  virtual ~object() = default;
  /// Python's name of its type.
  virtual std::string type_name() const = 0;
  virtual bool callable() const { return false; }
  /// What `name` is after a dot, or nothing.
  virtual std::optional<value> member(rendering &run, std::string_view name);
  /// Throws `failure::type` unless it can be called.
  virtual value call(rendering &run, const arguments &given);
  /// The items that are left, after which there are none; null when it cannot
  /// be iterated.
  virtual std::vector<value> *remaining() { return nullptr; }
};

/// {% set ns.name = ... %} writes these.
class namespace_object : public object {
public:
  std::string type_name() const override { return "Namespace"; }
  std::optional<value> member(rendering &run, std::string_view name) override;
  void set(rendering &run, std::string_view name, value item);

private:
  std::vector<std::pair<std::string, value>> members_;
};

/// What lazy filters give: can be walked once.
class generator_object : public object {
public:
  explicit generator_object(std::vector<value> items)
      : items_(std::move(items)) {}
  std::string type_name() const override { return "generator"; }
  std::vector<value> *remaining() override { return &items_; }

private:
  std::vector<value> items_;
};

/// A function of the environment.
class function_object : public object {
public:
  using body = value (*)(rendering &, const arguments &);
  function_object(std::string_view name, body run) : name_(name), run_(run) {}
  std::string type_name() const override { return "function"; }
  bool callable() const override { return true; }
  value call(rendering &run, const arguments &given) override {
    return run_(run, given);
  }
  std::string_view name() const { return name_; }

private:
  std::string_view name_;
  body run_;
};

/// A method with the value it belongs to.
class method_object : public object {
public:
  method_object(value receiver, std::string_view name)
      : receiver_(std::move(receiver)),
        name_(name) {}
  std::string type_name() const override { return "method"; }
  bool callable() const override { return true; }
  value call(rendering &run, const arguments &given) override;

private:
  value receiver_;
  std::string name_;
};

} // namespace ganglion::runtime::chat
