// A request and what must be answered, from a text file in tests/cases/http.
#pragma once

#include "hlo/support/error.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ganglion::testing {

/// The file's form:
///
///     # what it shows
///     @strict                      the server refuses unknown names
///     @repeat N TEXT               what %REPEAT% in the body stands for
///     METHOD /path
///     Header: value
///
///     body
///     ===
///     STATUS
///     Header: value                must be there
///     !Header                      must not
///
///     ~part of the body            or the whole body, without '~'
struct http_case {
  using headers = std::vector<std::pair<std::string, std::string>>;

  std::string name;
  bool strict = false;
  std::string method, target, request_headers, body;
  int status = 0;
  headers present;
  std::vector<std::string> absent, parts;
  std::string whole; ///< empty: not compared
};

/// Reads one case; throws `corrupt_data` for a file of another form.
class http_case_reader {
public:
  static http_case read(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    http_case out;
    out.name = path.substr(path.rfind('/') + 1);
    http_case_reader reader(file, out);
    reader.read_request();
    reader.read_expectation();
    if (out.method.empty() || out.status == 0)
      throw error(error_code::corrupt_data, "no HTTP case", path);
    return out;
  }

private:
  http_case_reader(std::istream &in, http_case &out) : in_(in), out_(out) {}

  void read_request() {
    std::string line;
    while (std::getline(in_, line) && (line[0] == '#' || line[0] == '@'))
      directive(line);
    std::istringstream(line) >> out_.method >> out_.target;
    while (std::getline(in_, line) && !line.empty() && line != "===")
      out_.request_headers += line + "\r\n";
    if (line == "===")
      return;
    while (std::getline(in_, line) && line != "===")
      out_.body += (out_.body.empty() ? "" : "\n") + line;
    if (const auto at = out_.body.find("%REPEAT%"); at != std::string::npos)
      out_.body.replace(at, 8, repeated_);
  }

  void directive(const std::string &line) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    out_.strict |= word == "@strict";
    if (word != "@repeat")
      return;
    int count = 0;
    std::string text;
    words >> count >> std::ws;
    std::getline(words, text);
    for (int i = 0; i < count; ++i)
      repeated_ += text + " ";
  }

  void read_expectation() {
    std::string line;
    std::getline(in_, line);
    out_.status = std::atoi(line.c_str());
    while (std::getline(in_, line) && !line.empty())
      if (line[0] == '!')
        out_.absent.push_back(line.substr(1));
      else
        out_.present.emplace_back(line.substr(0, line.find(": ")),
                                  line.substr(line.find(": ") + 2));
    while (std::getline(in_, line))
      if (line[0] == '~')
        out_.parts.push_back(line.substr(1));
      else
        out_.whole += (out_.whole.empty() ? "" : "\n") + line;
  }

  std::istream &in_;
  http_case &out_;
  std::string repeated_;
};

} // namespace ganglion::testing
