// The server's certificate and key, ready for connections.
#pragma once

#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace ganglion::apps {

/// PEM files: the certificate with those that vouch for it, and its key. TLS
/// 1.2 and later. Throws `invalid_argument` naming the option whose file does
/// not do.
std::shared_ptr<boost::asio::ssl::context>
tls_context(const std::string &certificate_file,
            const std::string &private_key_file);

} // namespace ganglion::apps
