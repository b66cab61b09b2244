#include "runtime/checkpoint/zip_directory.hpp"

#include "hlo/support/error.hpp"
#include "runtime/checkpoint/byte_reader.hpp"

namespace ganglion::runtime {

namespace {

constexpr std::uint32_t end_mark = 0x06054b50;
constexpr std::uint32_t end64_mark = 0x06064b50;
constexpr std::uint32_t locator64_mark = 0x07064b50;
constexpr std::uint32_t row_mark = 0x02014b50;
constexpr std::size_t end_size = 22;
constexpr std::size_t locator64_size = 20;
constexpr std::size_t row_size = 46;
constexpr std::uint32_t in_extra32 = 0xffffffff; ///< "see the zip64 field"
constexpr std::uint16_t in_extra16 = 0xffff;

/// Where the list is, as the record at the archive's end says.
struct extent {
  std::uint64_t rows = 0;
  std::uint64_t size = 0;
  std::uint64_t begin = 0;
};

[[noreturn]] void fail(const std::string &message, const std::string &where) {
  throw error(error_code::corrupt_data, message, where, "zip directory");
}

/// The offset of the record at the end: the last one whose comment reaches
/// exactly to the end of the file.
std::size_t find_end(std::span<const std::byte> bytes,
                     const std::string &where) {
  for (std::size_t comment = 0;
       comment <= in_extra16 && comment + end_size <= bytes.size(); ++comment) {
    const std::size_t at = bytes.size() - end_size - comment;
    byte_reader reader(bytes.subspan(at), where, "zip directory");
    if (reader.number<std::uint32_t>() != end_mark)
      continue;
    reader.take(end_size - 6);
    if (reader.number<std::uint16_t>() == comment)
      return at;
  }
  fail("not a zip archive: it has no directory (is the file truncated?)",
       where);
}

extent read_end64(std::span<const std::byte> bytes, std::size_t end,
                  const std::string &where) {
  if (end < locator64_size)
    fail("the zip64 locator is missing", where);
  byte_reader locator(bytes.subspan(end - locator64_size), where,
                      "zip64 locator");
  if (locator.number<std::uint32_t>() != locator64_mark)
    fail("the zip64 locator is missing", where);
  locator.take(4); // the part that holds the record: checked there
  const auto at = locator.number<std::uint64_t>();
  if (at > end - locator64_size)
    fail("the zip64 record lies outside the file", where);
  byte_reader record(bytes.subspan(at), where, "zip64 record");
  if (record.number<std::uint32_t>() != end64_mark)
    fail("the zip64 record is missing", where);
  record.take(12); // its size and two versions
  if (record.number<std::uint64_t>() != 0)
    throw error(error_code::unsupported, "a zip archive of several parts",
                where);
  extent out;
  record.take(8); // entries of this part
  out.rows = record.number<std::uint64_t>();
  out.size = record.number<std::uint64_t>();
  out.begin = record.number<std::uint64_t>();
  return out;
}

extent read_end(std::span<const std::byte> bytes, std::size_t end,
                const std::string &where) {
  byte_reader reader(bytes.subspan(end), where, "zip directory");
  reader.take(4);
  const auto part = reader.number<std::uint32_t>();
  reader.take(2); // entries of this part
  extent out;
  out.rows = reader.number<std::uint16_t>();
  out.size = reader.number<std::uint32_t>();
  out.begin = reader.number<std::uint32_t>();
  if (out.rows == in_extra16 || out.size == in_extra32 ||
      out.begin == in_extra32)
    return read_end64(bytes, end, where);
  if (part != 0)
    throw error(error_code::unsupported, "a zip archive of several parts",
                where);
  return out;
}

/// Takes from the zip64 field what did not fit 32 bits, in its fixed order.
void read_extra(std::span<const std::byte> extra, zip_row &row,
                const std::string &where) {
  byte_reader fields(extra, where, row.name);
  while (fields.left() >= 4) {
    const auto id = fields.number<std::uint16_t>();
    const auto size = fields.number<std::uint16_t>();
    byte_reader field(fields.take(size), where, row.name);
    if (id != 1)
      continue;
    for (std::uint64_t *number : {&row.size, &row.stored_size, &row.header})
      if (*number == in_extra32)
        *number = field.number<std::uint64_t>();
    return;
  }
}

zip_row read_row(byte_reader &reader, const std::string &where) {
  if (reader.number<std::uint32_t>() != row_mark)
    fail("an entry does not begin with its mark", where);
  zip_row out;
  reader.take(4); // versions
  out.flags = reader.number<std::uint16_t>();
  out.method = reader.number<std::uint16_t>();
  reader.take(8); // time, date, checksum
  out.stored_size = reader.number<std::uint32_t>();
  out.size = reader.number<std::uint32_t>();
  const auto name = reader.number<std::uint16_t>();
  const auto extra = reader.number<std::uint16_t>();
  const auto comment = reader.number<std::uint16_t>();
  reader.take(8); // part and attributes
  out.header = reader.number<std::uint32_t>();
  out.name = reader.text(name);
  read_extra(reader.take(extra), out, where);
  reader.take(comment);
  return out;
}

} // namespace

zip_directory read_zip_directory(std::span<const std::byte> bytes,
                                 std::size_t max_rows,
                                 const std::string &where) {
  const std::size_t end = find_end(bytes, where);
  const extent list = read_end(bytes, end, where);
  if (list.begin > end || list.size > end - list.begin)
    fail("it lies outside the file (is the file truncated?)", where);
  if (list.rows > max_rows || list.rows > list.size / row_size)
    fail(std::to_string(list.rows) + " entries do not fit " +
             std::to_string(list.size) + " bytes or exceed the limit of " +
             std::to_string(max_rows),
         where);
  byte_reader reader(bytes.subspan(list.begin, list.size), where,
                     "zip directory");
  zip_directory out;
  out.begin = list.begin;
  for (std::uint64_t i = 0; i < list.rows; ++i)
    out.rows.push_back(read_row(reader, where));
  return out;
}

} // namespace ganglion::runtime
