#include "apps/sources/web_client.hpp"

#include "hlo/support/error.hpp"

#include <new>

#include <curl/curl.h>

namespace ganglion::apps {

namespace {

constexpr long connect_seconds = 30, silent_seconds = 60, most_redirects = 8;
constexpr std::size_t largest_document = std::size_t{64} << 20;

/// Once in the process, before any handle.
void start_curl() {
  static const bool started = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  require(started, "libcurl cannot be started");
}

struct list_closer {
  void operator()(curl_slist *list) const { curl_slist_free_all(list); }
};

std::unique_ptr<curl_slist, list_closer>
list_of(const std::map<std::string, std::string> &headers) {
  curl_slist *out = nullptr;
  for (const auto &[name, value] : headers)
    out = curl_slist_append(out, (name + ": " + value).c_str());
  return std::unique_ptr<curl_slist, list_closer>(out);
}

struct exchange {
  CURL *handle = nullptr;
  const body_sink *sink = nullptr;
};

std::size_t take_body(char *bytes, std::size_t, std::size_t size, void *user) {
  const auto &e = *static_cast<exchange *>(user);
  long status = 0;
  curl_easy_getinfo(e.handle, CURLINFO_RESPONSE_CODE, &status);
  return (*e.sink)(status, {bytes, size}) ? size : size + 1;
}

} // namespace

class web_client::implementation {
public:
  implementation() {
    start_curl();
    handle_ = curl_easy_init();
    if (handle_ == nullptr)
      throw std::bad_alloc();
  }
  ~implementation() { curl_easy_cleanup(handle_); }
  implementation(const implementation &) = delete;
  implementation &operator=(const implementation &) = delete;

  web_response get(const web_request &request, const body_sink &sink) {
    curl_easy_reset(handle_); // connections stay
    exchange e{handle_, &sink};
    const auto headers = list_of(request.headers);
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_FOLLOWLOCATION, request.follow_redirects ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, most_redirects);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_CONNECTTIMEOUT, connect_seconds);
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, silent_seconds);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "ganglion");
    set(CURLOPT_WRITEFUNCTION, &take_body);
    set(CURLOPT_WRITEDATA, &e);
    const auto result = curl_easy_perform(handle_);
    web_response out;
    curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &out.status);
    if (result != CURLE_OK)
      out.broken = curl_easy_strerror(result);
    return out;
  }

private:
  template <class T>
  void set(CURLoption option, T value) {
    require(curl_easy_setopt(handle_, option, value) == CURLE_OK,
            "libcurl does not know an option");
  }

  CURL *handle_ = nullptr;
};

web_client::web_client() : self_(std::make_unique<implementation>()) {}

web_client::~web_client() = default;

web_response web_client::get(const web_request &request,
                             const body_sink &sink) {
  return self_->get(request, sink);
}

bool is_transient(const web_response &response) {
  return !response.broken.empty() || response.status == 429 ||
         response.status == 408 || response.status >= 500;
}

void refuse_failure(const web_response &response, const std::string &what) {
  const auto code = std::to_string(response.status);
  if (!response.broken.empty())
    throw error(error_code::unavailable, response.broken, what);
  if (response.status == 404)
    throw error(error_code::not_found, "is not there (HTTP 404)", what);
  if (response.status == 401 || response.status == 403)
    throw error(error_code::invalid_argument,
                "may not be read with these credentials (HTTP " + code + ")",
                what);
  if (response.status < 200 || response.status > 299)
    throw error(error_code::unavailable, "HTTP " + code, what);
}

std::string fetch_document(web_client &client, const web_request &request,
                           const std::string &what) {
  std::string body;
  const auto attempt = [&] {
    body.clear();
    return client.get(request, [&](long, std::string_view piece) {
      body += piece;
      return body.size() <= largest_document;
    });
  };
  auto response = attempt();
  if (is_transient(response))
    response = attempt();
  refuse_failure(response, what);
  return body;
}

} // namespace ganglion::apps
