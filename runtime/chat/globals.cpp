#include "runtime/chat/globals.hpp"

#include "runtime/chat/binding.hpp"
#include "runtime/chat/operators.hpp"
#include "runtime/chat/text_units.hpp"
#include "runtime/chat/value_text.hpp"

#include <algorithm>
#include <utility>

namespace ganglion::runtime::chat {

namespace {

constexpr std::int64_t longest_range = 100'000;

value range(rendering &run, const arguments &given) {
  const binding args(run, "range", given, {"start", "stop", "step"});
  args.required(0);
  const bool one = !args.has(1);
  const auto start = one ? 0 : args.whole(0, 0),
             stop = one ? args.whole(0, 0) : args.whole(1, 0),
             step = args.whole(2, 1);
  if (step == 0)
    run.fail(failure::value, "range() arg 3 must not be zero");
  std::vector<value> out;
  for (auto i = start; step > 0 ? i < stop : i > stop;) {
    if (out.size() == longest_range)
      run.fail(failure::overflow,
               "Range too big. The sandbox blocks ranges larger than "
               "MAX_RANGE (100000).");
    out.emplace_back(i);
    if (__builtin_add_overflow(i, step, &i))
      break;
  }
  run.step(out.size() / 8);
  return run.list(std::move(out), sequence_kind::range);
}

// The entries of dict() and namespace(): of a dictionary or pairs, then named.
std::vector<value::entry> entries_of(rendering &run, std::string_view function,
                                     const arguments &given) {
  if (given.positional.size() > 1)
    run.fail(failure::type,
             std::string(function) + " expected at most 1 argument");
  std::vector<value::entry> out;
  if (!given.positional.empty()) {
    const auto &first = given.positional[0];
    if (first.is_dict())
      out = first.as_dict().entries;
    else
      for (const auto &pair : items_of(run, first)) {
        const auto both = items_of(run, pair);
        if (both.size() != 2 || !both[0].is_string())
          run.fail(failure::value, std::string(function) +
                                       " needs pairs of a text and a value");
        out.emplace_back(both[0], both[1]);
      }
  }
  for (const auto &[name, item] : given.named)
    out.emplace_back(name, item);
  return out;
}

value make_dict(rendering &run, const arguments &given) {
  return run.dict(entries_of(run, "dict", given));
}

value make_namespace(rendering &run, const arguments &given) {
  auto &out = run.own<namespace_object>();
  for (const auto &[name, item] : entries_of(run, "namespace", given)) {
    if (!name.is_string())
      run.fail(failure::type, "keywords must be strings");
    out.set(run, name.as_string(), item);
  }
  return out;
}

/// Nothing the first time it is called, its text from then on.
class joiner_object : public object {
public:
  explicit joiner_object(value text) : text_(std::move(text)) {}
  std::string type_name() const override { return "Joiner"; }
  bool callable() const override { return true; }
  value call(rendering &, const arguments &) override {
    return std::exchange(used_, true) ? text_ : value("");
  }

private:
  value text_;
  bool used_ = false;
};

value make_joiner(rendering &run, const arguments &given) {
  const binding args(run, "joiner", given, {"sep"});
  return run.own<joiner_object>(args.get(0, ", "));
}

/// Gives its items in turn, over and over.
class cycler_object : public object {
public:
  explicit cycler_object(std::vector<value> items) : items_(std::move(items)) {}
  std::string type_name() const override { return "Cycler"; }
  std::optional<value> member(rendering &run, std::string_view name) override {
    if (name == "current")
      return items_[place_];
    if (name == "next" || name == "reset")
      return run.own<step_object>(*this, name == "next");
    return std::nullopt;
  }

private:
  class step_object : public object {
  public:
    step_object(cycler_object &all, bool next) : all_(all), next_(next) {}
    std::string type_name() const override { return "method"; }
    bool callable() const override { return true; }
    value call(rendering &, const arguments &) override {
      if (!next_)
        return all_.place_ = 0, value();
      const auto here = all_.place_;
      all_.place_ = (here + 1) % all_.items_.size();
      return all_.items_[here];
    }

  private:
    cycler_object &all_;
    bool next_;
  };

  std::vector<value> items_;
  std::size_t place_ = 0;
};

value make_cycler(rendering &run, const arguments &given) {
  if (given.positional.empty() || !given.named.empty())
    run.fail(failure::type, "at least one item has to be provided");
  return run.own<cycler_object>(given.positional);
}

value raise_exception(rendering &run, const arguments &given) {
  const binding args(run, "raise_exception", given, {"message"});
  run.fail(failure::raised, to_text(run, args.required(0)));
}

value strftime_now(rendering &run, const arguments &given) {
  const binding args(run, "strftime_now", given, {"format"});
  args.required(0);
  return run.text(format_time(run, run.now(), args.text(0, "")));
}

value lipsum(rendering &run, const arguments &) {
  run.fail(failure::unsupported, "lipsum() is not supported");
}

function_object functions[] = {
    {"cycler", make_cycler},
    {"dict", make_dict},
    {"joiner", make_joiner},
    {"lipsum", lipsum},
    {"namespace", make_namespace},
    {"raise_exception", raise_exception},
    {"range", range},
    {"strftime_now", strftime_now},
};

} // namespace

function_object *find_global(std::string_view name) {
  const auto found = std::ranges::find(functions, name, &function_object::name);
  return found == std::end(functions) ? nullptr : &*found;
}

std::string format_time(rendering &run, const std::tm &when,
                        const std::string &format) {
  if (format.find('\0') != format.npos)
    run.fail(failure::value, "embedded null character");
  if (find_text(format, "%f") != format.npos)
    run.fail(failure::unsupported, "strftime_now with %f is not supported");
  std::tm plain = when;
  plain.tm_isdst = -1; // writes no zone
  // The leading character tells an empty result from one that is too long.
  const auto wanted = "x" + format;
  std::string out(4096, '\0');
  const auto length =
      std::strftime(out.data(), out.size(), wanted.c_str(), &plain);
  if (length == 0)
    run.fail(failure::value, "strftime_now writes more than 4096 bytes");
  return out.substr(1, length - 1);
}

} // namespace ganglion::runtime::chat
