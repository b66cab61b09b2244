#include "runtime/config/core_list.hpp"

#include "hlo/support/error.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <string_view>

namespace ganglion::runtime {

namespace {

/// Reads one option's text.
class reader {
public:
  reader(const resolved_option &option, std::int64_t cores)
      : option_(option),
        rest_(std::get<std::string>(option.value)),
        cores_(cores) {}

  std::vector<std::int64_t> run() {
    std::vector<std::int64_t> out;
    do {
      const auto first = number();
      const auto last = take('-') ? number() : first;
      if (last < first)
        refuse();
      for (auto core = first; core <= last; ++core)
        out.push_back(core);
    } while (take(',') || take(';'));
    std::ranges::sort(out);
    if (!rest_.empty() || std::ranges::adjacent_find(out) != out.end())
      refuse();
    return out;
  }

private:
  bool take(char c) {
    skip_blanks();
    if (!rest_.starts_with(c))
      return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::int64_t number() {
    skip_blanks();
    std::int64_t out = 0;
    const auto end = rest_.data() + rest_.size();
    const auto [next, failed] = std::from_chars(rest_.data(), end, out);
    if (failed != std::errc() || out < 0 || out >= cores_)
      refuse();
    rest_ = {next, end};
    return out;
  }

  void skip_blanks() {
    while (rest_.starts_with(' '))
      rest_.remove_prefix(1);
  }

  [[noreturn]] void refuse() const {
    throw error(error_code::invalid_argument,
                "'" + std::get<std::string>(option_.value) +
                    "' is not acceptable; expected all, or cores from 0 to " +
                    std::to_string(cores_ - 1) + ", each once, as 0-3,6",
                option_.where, option_.key);
  }

  const resolved_option &option_;
  std::string_view rest_;
  std::int64_t cores_;
};

} // namespace

std::vector<std::int64_t> core_list(const resolved_option &option,
                                    std::int64_t cores) {
  const auto &text = std::get<std::string>(option.value);
  if (text != "all" && text != "*")
    return reader(option, cores).run();
  std::vector<std::int64_t> out(static_cast<std::size_t>(cores));
  std::iota(out.begin(), out.end(), std::int64_t{0});
  return out;
}

} // namespace ganglion::runtime
