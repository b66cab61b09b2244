#include "apps/sources/download.hpp"

#include "apps/sources/partial_file.hpp"
#include "hlo/support/error.hpp"
#include "hlo/support/log.hpp"

#include <filesystem>

namespace ganglion::apps {

namespace {

constexpr long whole = 200, part = 206, not_that_part = 416;

bool is_there(const download &file) {
  std::error_code missing; // then it is not there
  const auto size = std::filesystem::file_size(file.to, missing);
  return !missing && size == file.size;
}

/// One request for what is missing; the response, and whether anything came.
web_response request_rest(web_client &client, const download &file,
                          partial_file &partial,
                          const download_habits &habits) {
  const auto before = partial.size();
  web_request request{file.url, file.headers()};
  if (before > 0)
    request.headers["range"] = "bytes=" + std::to_string(before) + "-";
  bool started = false;
  return client.get(request, [&](long status, std::string_view piece) {
    if (status != whole && status != part)
      return true; // the text of an error
    if (!std::exchange(started, true) && status == whole && before > 0)
      partial.clear(); // it sends everything again
    if (partial.size() + piece.size() > file.size)
      return false;
    partial.append(piece);
    habits.progress(piece.size());
    return true;
  });
}

void check(const download &file, partial_file &partial) {
  if (file.expected.by == checksum::method::none)
    return;
  const auto found = digits_of(partial.path(), file.expected.by);
  if (found == file.expected.digits)
    return;
  partial.clear(); // so that the next start does not go on from it
  throw error(error_code::corrupt_data,
              "has the checksum " + found + ", expected " +
                  file.expected.digits,
              file.url);
}

} // namespace

void fetch_file(web_client &client, const download &file,
                const download_habits &habits) {
  if (is_there(file)) {
    habits.progress(file.size);
    return;
  }
  partial_file partial(file.to, file.version);
  if (partial.size() > file.size)
    partial.clear();
  habits.progress(partial.size());
  duration wait = std::chrono::milliseconds(500);
  for (int left = habits.attempts; partial.size() < file.size;) {
    const auto before = partial.size();
    const auto response = request_rest(client, file, partial, habits);
    if (response.status == not_that_part)
      partial.clear();
    else if (!is_transient(response))
      refuse_failure(response, file.url);
    if (partial.size() == file.size)
      break;
    left = partial.size() > before ? habits.attempts : left - 1;
    if (left == 0) {
      refuse_failure(response, file.url);
      throw error(error_code::corrupt_data,
                  "ends after " + std::to_string(partial.size()) + " of " +
                      std::to_string(file.size) + " bytes",
                  file.url);
    }
    log::warn("{}: {} after {} of {} bytes; trying again", file.url,
              response.broken.empty() ? "ended" : response.broken,
              partial.size(), file.size);
    habits.pause(wait);
    wait = partial.size() > before ? std::chrono::milliseconds(500) : wait * 2;
  }
  check(file, partial);
  partial.move_into_place();
}

} // namespace ganglion::apps
