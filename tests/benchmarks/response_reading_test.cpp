// HTTP responses read in pieces of any size.
#include "benchmarks/net/response_reader.hpp"
#include "hlo/support/error.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::benchmarks;

namespace {

/// The whole body, fed in pieces of `piece` bytes.
std::string body_of(response_reader &reader, std::string_view bytes,
                    std::size_t piece) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    out += reader.feed(bytes.substr(at, piece));
  return out;
}

} // namespace

BOOST_AUTO_TEST_SUITE(response_reading)

BOOST_AUTO_TEST_CASE(chunks_lose_their_frames) {
  const std::string bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
                            "\r\n4\r\nab\r\n\r\nb;x=y\r\n0123456789\n\r\n0\r\n"
                            "Trailer: t\r\n\r\n";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    response_reader reader;
    BOOST_TEST(body_of(reader, bytes, piece) == "ab\r\n0123456789\n");
    BOOST_TEST(reader.done());
    BOOST_TEST(reader.status() == 200);
    BOOST_TEST(reader.keeps_open());
  }
}

BOOST_AUTO_TEST_CASE(sized_bodies_end_at_their_length) {
  const std::string bytes = "HTTP/1.1 424 Failed\r\ncontent-length: 5\r\n"
                            "Connection: close\r\n\r\nhello";
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece) {
    response_reader reader;
    BOOST_TEST(body_of(reader, bytes, piece) == "hello");
    BOOST_TEST(reader.done());
    BOOST_TEST(reader.status() == 424);
    BOOST_TEST(!reader.keeps_open());
  }
}

BOOST_AUTO_TEST_CASE(what_is_cut_off_is_not_done) {
  response_reader reader;
  reader.feed("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
  BOOST_TEST(!reader.done());
}

BOOST_AUTO_TEST_CASE(other_bytes_are_refused) {
  for (const std::string &bytes :
       {std::string("SSH-2.0-server\r\n\r\n"),
        std::string("HTTP/1.1 abc\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    "zz\r\n"),
        "HTTP/1.1 200 OK\r\n" + std::string(20000, 'h')}) {
    response_reader reader;
    BOOST_CHECK_THROW(reader.feed(bytes), error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
