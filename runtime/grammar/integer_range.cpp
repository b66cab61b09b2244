#include "runtime/grammar/integer_range.hpp"

#include <algorithm>
#include <limits>

namespace ganglion::runtime::grammar {

namespace {

class range_writer {
public:
  explicit range_writer(builder &to) : to_(to) {}

  /// Both of one length, which leading zeros may fill.
  expr between(std::string_view least, std::string_view most) {
    if (least.empty())
      return to_.empty();
    const auto rest = least.size() - 1;
    const auto low = least.substr(1), high = most.substr(1);
    if (all(low, '0') && all(high, '9'))
      return to_.sequence({digit(least[0], most[0]), any_digits(rest)});
    if (least[0] == most[0])
      return to_.sequence({digit(least[0], least[0]), between(low, high)});
    const std::string zeros(rest, '0'), nines(rest, '9');
    std::vector<expr> ways{
        to_.sequence({digit(least[0], least[0]), between(low, nines)}),
        to_.sequence({digit(most[0], most[0]), between(zeros, high)})};
    if (least[0] + 1 < most[0])
      ways.push_back(to_.sequence({digit(static_cast<char>(least[0] + 1),
                                         static_cast<char>(most[0] - 1)),
                                   any_digits(rest)}));
    return to_.any_of(ways);
  }

  /// 0 <= least <= most, without leading zeros: one way for each length.
  void add_positive(std::int64_t least, std::int64_t most, const char *sign,
                    std::vector<expr> &ways) {
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    std::int64_t first = 0, last = 9; // of one length
    for (;;) {
      if (least <= last)
        ways.push_back(
            to_.sequence({to_.literal(sign),
                          between(std::to_string(std::max(first, least)),
                                  std::to_string(std::min(last, most)))}));
      if (last >= most)
        return;
      first = last + 1;
      last = last > (greatest - 9) / 10 ? greatest : last * 10 + 9;
    }
  }

private:
  static bool all(std::string_view text, char c) {
    return text.find_first_not_of(c) == std::string_view::npos;
  }
  expr digit(char first, char last) {
    return to_.character(
        {static_cast<char32_t>(first), static_cast<char32_t>(last)});
  }
  expr any_digits(std::size_t count) {
    const auto times = static_cast<std::int32_t>(count);
    return to_.repeat(digit('0', '9'), times, times);
  }

  builder &to_;
};

} // namespace

expr integer_range(builder &to, std::int64_t least, std::int64_t most) {
  range_writer writer(to);
  std::vector<expr> ways;
  if (most >= 0)
    writer.add_positive(std::max<std::int64_t>(least, 0), most, "", ways);
  if (least < 0)
    writer.add_positive(std::max<std::int64_t>(-most, 1), -least, "-", ways);
  return to.any_of(ways);
}

} // namespace ganglion::runtime::grammar
