#include "apps/http/tls_context.hpp"

#include "hlo/support/error.hpp"

#include <boost/asio/ssl/context.hpp>

namespace ganglion::apps {

namespace ssl = boost::asio::ssl;

namespace {

void check(const boost::system::error_code &ec, const char *field,
           const std::string &file, const char *accepted) {
  if (ec)
    throw error(error_code::invalid_argument,
                "'" + file + "': " + ec.message() + "; accepted: " + accepted,
                {}, field);
}

} // namespace

std::shared_ptr<ssl::context> tls_context(const std::string &certificate_file,
                                          const std::string &private_key_file) {
  auto out = std::make_shared<ssl::context>(ssl::context::tls_server);
  out->set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                   ssl::context::no_sslv3 | ssl::context::no_tlsv1 |
                   ssl::context::no_tlsv1_1 | ssl::context::no_compression);
  boost::system::error_code ec;
  out->use_certificate_chain_file(certificate_file, ec);
  check(ec, "certificate_file", certificate_file,
        "a PEM file with the certificate and those that vouch for it");
  out->use_private_key_file(private_key_file, ssl::context::pem, ec);
  check(ec, "private_key_file", private_key_file,
        "a PEM file with the key of certificate_file, without a password");
  return out;
}

} // namespace ganglion::apps
