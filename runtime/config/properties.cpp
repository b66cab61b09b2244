#include "runtime/config/properties.hpp"

#include "hlo/support/error.hpp"
#include "runtime/config/properties_escape.hpp"

#include <fstream>
#include <sstream>

namespace ganglion::runtime {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f'; }

std::string_view without_leading_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  return text;
}

/// An odd number of backslashes at the end joins the next line to this one.
bool is_continued(std::string_view line) {
  const auto last = line.find_last_not_of('\\');
  const auto count =
      last == std::string_view::npos ? line.size() : line.size() - last - 1;
  return count % 2 == 1;
}

/// Hands out lines as the file has them, ended by \n, \r or \r\n.
class line_reader {
public:
  explicit line_reader(std::string_view text) : rest_(text) {}

  bool next(std::string_view &line) {
    if (rest_.empty())
      return false;
    const auto end = rest_.find_first_of("\r\n");
    line = rest_.substr(0, end);
    if (end == std::string_view::npos)
      rest_ = {};
    else
      rest_.remove_prefix(end + (rest_.substr(end, 2) == "\r\n" ? 2 : 1));
    ++number_;
    return true;
  }
  std::size_t number() const { return number_; }

private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

/// Where the key ends: at the first separator that no backslash protects.
std::size_t key_length(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i; // whatever follows is part of the key
    else if (line[i] == '=' || line[i] == ':' || is_blank(line[i]))
      return i;
  }
  return line.size();
}

property split(std::string_view line, const std::string &where,
               std::size_t number) {
  const auto place = where + ":" + std::to_string(number);
  const auto length = key_length(line);
  auto value = without_leading_blanks(line.substr(length));
  if (!value.empty() && (value.front() == '=' || value.front() == ':'))
    value = without_leading_blanks(value.substr(1));
  return {unescape_property(line.substr(0, length), place),
          unescape_property(value, place), number};
}

} // namespace

std::vector<property> parse_properties(std::string_view text,
                                       const std::string &where) {
  if (text.size() > max_properties_size)
    throw error(error_code::corrupt_data,
                "larger than " + std::to_string(max_properties_size) + " bytes",
                where);
  std::vector<property> out;
  line_reader lines(text);
  for (std::string_view line; lines.next(line);) {
    const auto begin = without_leading_blanks(line);
    if (begin.empty() || begin.front() == '#' || begin.front() == '!')
      continue;
    const auto number = lines.number();
    std::string whole(begin);
    while (is_continued(line)) {
      whole.pop_back();
      if (!lines.next(line))
        break;
      whole += without_leading_blanks(line);
    }
    if (out.size() == max_properties)
      throw error(error_code::corrupt_data,
                  "more than " + std::to_string(max_properties) + " properties",
                  where);
    out.push_back(split(whole, where, number));
  }
  return out;
}

std::vector<property> load_properties(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw error(error_code::not_found, "cannot open file", path);
  // One byte beyond the limit is enough to see that it is exceeded.
  std::string text(max_properties_size + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad() || (file.fail() && !file.eof()))
    throw error(error_code::not_found, "cannot read file", path);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return parse_properties(text, path);
}

} // namespace ganglion::runtime
