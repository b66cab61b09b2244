#include "runtime/grammar/pattern_text.hpp"

#include "hlo/support/error.hpp"
#include "runtime/grammar/builder.hpp"
#include "runtime/tokenizer/utf8.hpp"

namespace ganglion::runtime::grammar {

namespace {

/// Repetitions of one part.
constexpr std::int32_t most_times = 1 << 16;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

code_points digits() { return {'0', '9'}; }

code_points word() {
  code_points out('0', '9');
  out.add('A', 'Z');
  out.add('_', '_');
  out.add('a', 'z');
  return out;
}

code_points space() {
  code_points out('\t', '\r');
  out.add(' ', ' ');
  return out;
}

} // namespace

pattern_text::pattern_text(std::string_view text, std::string what,
                           const limits &bounds)
    : what_(std::move(what)) {
  if (text.size() > bounds.text)
    refuse_size("bytes of text", bounds.text);
  for (std::size_t i = 0; i < text.size();) {
    const auto step = next_code_point(text.substr(i));
    if (!step.valid)
      throw error(error_code::invalid_argument, "the " + what_ +
                                                    " is not UTF-8 at byte " +
                                                    std::to_string(i));
    text_.push_back(step.value);
    i += step.length;
  }
}

bool pattern_text::accept(char32_t c) {
  if (at_end() || text_[at_] != c)
    return false;
  ++at_;
  return true;
}

void pattern_text::expect(char32_t c, const char *why) {
  if (!accept(c))
    fail(why);
}

void pattern_text::fail(const std::string &why) const {
  throw error(error_code::invalid_argument, "the " + what_ + ", at character " +
                                                std::to_string(at_ + 1) + ": " +
                                                why);
}

std::int32_t pattern_text::number(std::int32_t most) {
  if (!is_digit(peek()))
    fail("a number is missing");
  std::int32_t out = 0;
  while (is_digit(peek())) {
    out = out * 10 + static_cast<std::int32_t>(take() - '0');
    if (out > most)
      fail("a number that is larger than " + std::to_string(most));
  }
  return out;
}

char32_t pattern_text::hexadecimal(int digits_wanted) {
  char32_t out = 0;
  for (int i = 0; i < digits_wanted; ++i) {
    const char32_t c = peek();
    const char32_t lower = c | 0x20;
    if (!is_digit(c) && !(lower >= 'a' && lower <= 'f'))
      fail(std::to_string(digits_wanted) + " hexadecimal digits are missing");
    out = out * 16 + (is_digit(c) ? c - '0' : lower - 'a' + 10);
    take();
  }
  return out;
}

code_points pattern_text::escaped() {
  if (at_end())
    fail("nothing follows a backslash");
  const char32_t c = take();
  char32_t one = c;
  switch (c) {
  case 'd':
    return digits();
  case 'D':
    return digits().complement();
  case 'w':
    return word();
  case 'W':
    return word().complement();
  case 's':
    return space();
  case 'S':
    return space().complement();
  case 'n':
    one = '\n';
    break;
  case 'r':
    one = '\r';
    break;
  case 't':
    one = '\t';
    break;
  case 'f':
    one = '\f';
    break;
  case 'v':
    one = '\v';
    break;
  case 'x':
    one = hexadecimal(2);
    break;
  case 'u':
    one = hexadecimal(4);
    break;
  case 'U':
    one = hexadecimal(8);
    break;
  default:
    if (is_letter(c) || is_digit(c) || c >= 0x80)
      fail(
          "this escape is not supported; accepted: \\d \\D \\w \\W \\s \\S \\n "
          "\\r \\t \\f \\v \\xHH \\uHHHH \\UHHHHHHHH and punctuation");
  }
  code_points out;
  if (one <= 0x10FFFF)
    out.add(one, one);
  if (out.empty())
    fail("an escape that stands for no character");
  return out;
}

code_points pattern_text::class_item() {
  if (at_end())
    fail("a class is not closed with ]");
  if (peek() == '[' && (peek(1) == ':' || peek(1) == '.' || peek(1) == '='))
    fail("POSIX classes are not supported");
  const char32_t c = take();
  return c == '\\' ? escaped() : code_points(c, c);
}

code_points pattern_text::bracketed() {
  const bool negated = accept('^');
  if (peek() == ']')
    fail("a class of nothing; write \\] for the bracket");
  code_points out;
  while (!accept(']')) {
    const code_points item = class_item();
    if (peek() != '-' || peek(1) == ']') {
      out.add(item);
      continue;
    }
    take();
    const code_points last = class_item();
    const auto single = [](const code_points &set) {
      return set.ranges().size() == 1 &&
             set.ranges()[0].first == set.ranges()[0].last;
    };
    if (!single(item) || !single(last) ||
        item.ranges()[0].first > last.ranges()[0].first)
      fail("a range that is none");
    out.add(item.ranges()[0].first, last.ranges()[0].first);
  }
  if (negated)
    out = out.complement();
  if (out.empty())
    fail("a class without characters");
  return out;
}

bool read_quantifier(pattern_text &from, quantifier &into) {
  if (from.accept('*')) {
    into = {0, no_bound};
  } else if (from.accept('+')) {
    into = {1, no_bound};
  } else if (from.accept('?')) {
    into = {0, 1};
  } else if (from.accept('{')) {
    into.least = into.most = from.number(most_times);
    if (from.accept(','))
      into.most = from.peek() == '}' ? no_bound : from.number(most_times);
    from.expect('}', "a quantifier is not closed with }");
    if (into.most != no_bound && into.most < into.least)
      from.fail("a quantifier whose bounds are the wrong way round");
  } else {
    return false;
  }
  return true;
}

} // namespace ganglion::runtime::grammar
