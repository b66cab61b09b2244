#include "apps/sources/aws_signature.hpp"

#include "apps/sources/hashing.hpp"

namespace ganglion::apps {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";

std::string signature(const aws_credentials &credentials,
                      const std::string &date, const std::string &region,
                      const std::string &text) {
  const std::string first = "AWS4" + credentials.secret_key;
  auto key = hmac_sha256(
      {reinterpret_cast<const unsigned char *>(first.data()), first.size()},
      date);
  for (const std::string_view part :
       {std::string_view(region), std::string_view("s3"),
        std::string_view("aws4_request")})
    key = hmac_sha256(key, part);
  return hex(hmac_sha256(key, text));
}

} // namespace

std::string percent_encoded(std::string_view text, bool path) {
  constexpr char digits[] = "0123456789ABCDEF";
  constexpr std::string_view unreserved =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (unreserved.find(c) != std::string_view::npos || (path && c == '/'))
      out += c;
    else
      out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

std::map<std::string, std::string>
signed_headers(const aws_request &request, const aws_credentials &credentials,
               const std::string &region, const std::string &time) {
  auto headers = request.headers;
  headers["x-amz-content-sha256"] = hex(sha256({}));
  headers["x-amz-date"] = time;
  if (!credentials.session_token.empty())
    headers["x-amz-security-token"] = credentials.session_token;
  auto all = headers;
  all["host"] = request.host;

  std::string lines, names;
  for (const auto &[name, value] : all) {
    lines += name + ":" + value + "\n";
    names += (names.empty() ? "" : ";") + name;
  }
  const auto canonical = std::string(request.method) + "\n" + request.path +
                         "\n" + request.query + "\n" + lines + "\n" + names +
                         "\n" + headers["x-amz-content-sha256"];
  const auto date = time.substr(0, 8);
  const auto scope = date + "/" + region + "/s3/aws4_request";
  const auto text = std::string(algorithm) + "\n" + time + "\n" + scope + "\n" +
                    hex(sha256(canonical));
  headers["authorization"] =
      std::string(algorithm) + " Credential=" + credentials.access_key + "/" +
      scope + ",SignedHeaders=" + names +
      ",Signature=" + signature(credentials, date, region, text);
  return headers;
}

} // namespace ganglion::apps
