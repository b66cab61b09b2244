#include "runtime/checkpoint/convert.hpp"
#include "runtime/checkpoint/torch_file.hpp"
#include "tests/runtime/checkpoint/torch_archive.hpp"
#include "tests/runtime/error_text.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <limits>

using namespace ganglion;
using namespace ganglion::testing;
using dims = std::vector<std::int64_t>;

namespace {

/// The tensors of a file borrow its bytes.
runtime::torch_file parse(const std::string &bytes) {
  return runtime::torch_file::parse(std::as_bytes(std::span(bytes)), "f");
}

/// Bytes that nobody else holds are kept to the end.
runtime::torch_file parse(std::string &&bytes) {
  static std::deque<std::string> kept;
  kept.push_back(std::move(bytes));
  return parse(kept.back());
}

std::string parse_error(const std::string &bytes) {
  return error_text([&] { parse(bytes); });
}

std::string tensor_error(const pickled_tensor &tensor) {
  return parse_error(torch_bytes(dict_of(text_of("t") + tensor_of(tensor))));
}

std::vector<float> floats_of(const runtime::tensor_view &tensor) {
  std::vector<float> out(tensor.element_count());
  runtime::copy_as_float(tensor, 0, out);
  return out;
}

const pickled_tensor plain{{2, 3}, {3, 1}};

} // namespace

BOOST_AUTO_TEST_SUITE(torch_file)

BOOST_AUTO_TEST_CASE(a_plain_tensor_is_a_view_of_the_file) {
  const auto bytes = torch_bytes(dict_of(text_of("t") + tensor_of(plain)));
  const auto file = parse(bytes);
  BOOST_REQUIRE(file.tensors().size() == 1u);
  const auto &tensor = file.tensors()[0];
  BOOST_TEST(tensor.name == "t");
  BOOST_TEST((tensor.dtype == runtime::tensor_dtype::f32));
  BOOST_TEST((tensor.dims == dims{2, 3}));
  BOOST_TEST((floats_of(tensor) == std::vector<float>{0, 1, 2, 3, 4, 5}));
  const auto *at = reinterpret_cast<const char *>(tensor.bytes.data());
  BOOST_TEST((at >= bytes.data() && at < bytes.data() + bytes.size()));
}

BOOST_AUTO_TEST_CASE(tensors_share_a_storage_with_offsets_and_strides) {
  const auto file = parse(torch_bytes(
      dict_of(text_of("a_whole") + tensor_of(plain) + text_of("b_second_row") +
              tensor_of({{3}, {1}, 3}) + text_of("c_transposed") +
              tensor_of({{3, 2}, {1, 3}}) + text_of("d_column") +
              tensor_of({{2, 1}, {3, 9}, 1}) + text_of("e_expanded") +
              tensor_of({{2, 2}, {0, 1}, 4}) + text_of("f_scalar") +
              tensor_of({{}, {}, 5}) + text_of("g_empty") +
              tensor_of({{0, 4}, {4, 1}, 6}))));
  const auto &t = file.tensors();
  BOOST_REQUIRE(t.size() == 7u);
  BOOST_TEST((floats_of(t[1]) == std::vector<float>{3, 4, 5}));
  BOOST_TEST(t[1].bytes.data() == t[0].bytes.data() + 12);
  BOOST_TEST((floats_of(t[2]) == std::vector<float>{0, 3, 1, 4, 2, 5}));
  BOOST_TEST((floats_of(t[3]) == std::vector<float>{1, 4}));
  BOOST_TEST((floats_of(t[4]) == std::vector<float>{4, 5, 4, 5}));
  BOOST_TEST((floats_of(t[5]) == std::vector<float>{5}));
  BOOST_TEST(t[6].bytes.empty());
  BOOST_TEST((t[6].dims == dims{0, 4}));
}

BOOST_AUTO_TEST_CASE(every_storage_has_its_element_type) {
  for (const auto &[type, name, size] : {std::tuple("DoubleStorage", "F64", 8),
                                         {"FloatStorage", "F32", 4},
                                         {"HalfStorage", "F16", 2},
                                         {"BFloat16Storage", "BF16", 2},
                                         {"LongStorage", "I64", 8},
                                         {"IntStorage", "I32", 4},
                                         {"ShortStorage", "I16", 2},
                                         {"CharStorage", "I8", 1},
                                         {"ByteStorage", "U8", 1},
                                         {"BoolStorage", "BOOL", 1},
                                         {"UntypedStorage", "U8", 1}}) {
    pickled_tensor tensor{{3}, {1}};
    tensor.type = type;
    tensor.elements = 24 / size;
    const auto file =
        parse(torch_bytes(dict_of(text_of("t") + tensor_of(tensor))));
    BOOST_TEST(runtime::to_string(file.tensors()[0].dtype) == name);
    BOOST_TEST(file.tensors()[0].bytes.size() == 3u * size);
  }
}

BOOST_AUTO_TEST_CASE(parameters_and_typed_tensors) {
  pickled_tensor raw{{2, 3}, {3, 1}};
  raw.type = "UntypedStorage";
  raw.elements = 24;
  const auto parameter = [&](const char *function, const std::string &more) {
    return global_of("torch._utils", function) + "(" + tensor_of(plain) +
           "\x88}" + more + "tR";
  };
  const auto file = parse(torch_bytes(
      dict_of(text_of("a") + parameter("_rebuild_parameter", "") +
              text_of("b") + parameter("_rebuild_parameter_with_state", "}") +
              text_of("c") + global_of("torch._utils", "_rebuild_tensor_v3") +
              "(" + arguments_of(raw) + global_of("torch", "float32") + "tR")));
  BOOST_REQUIRE(file.tensors().size() == 3u);
  for (const auto &tensor : file.tensors())
    BOOST_TEST((floats_of(tensor) == std::vector<float>{0, 1, 2, 3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(what_surrounds_tensors_in_a_state_dict) {
  // An OrderedDict with the attribute `_metadata`, a nested dict, plain data.
  const auto file = parse(torch_bytes(
      "\x80\x02" + global_of("collections", "OrderedDict") + ")R(" +
      text_of("t") + tensor_of(plain) + text_of("deep") + "}" + text_of("u") +
      tensor_of(plain) + "s" + text_of("step") + "K\x05" + text_of("none") +
      "N" + "u}" + text_of("_metadata") + "}sb."));
  BOOST_REQUIRE(file.tensors().size() == 2u);
  BOOST_TEST(file.tensors()[0].name == "deep.u");
  BOOST_TEST(file.tensors()[1].name == "t");
}

BOOST_AUTO_TEST_CASE(every_protocol_is_read) {
  const std::string frame = "\x95" + little(0, 8);
  const std::string name = "\x8c\x01t\x94"; // short text, memoised as 0
  const std::string stack_global =
      "\x8c\x0ctorch._utils\x8c\x12_rebuild_tensor_v2\x93\x94";
  for (const char protocol : {'\x04', '\x05'}) {
    const auto file =
        parse(torch_bytes("\x80"s + protocol + frame + "}" + name +
                          stack_global + "(" + arguments_of(plain) + "tRs."));
    BOOST_REQUIRE(file.tensors().size() == 1u);
    BOOST_TEST(file.tensors()[0].name == "t");
  }
}

BOOST_AUTO_TEST_CASE(a_layout_must_fit_its_storage) {
  constexpr auto huge = std::numeric_limits<std::int64_t>::max();
  for (const pickled_tensor &bad :
       std::vector<pickled_tensor>{{{7}, {1}},
                                   {{3}, {3}},
                                   {{3}, {1}, 4},
                                   {{1}, {1}, 6},
                                   {{3}, {1}, -1},
                                   {{-1}, {1}},
                                   {{2}, {-1}, 3},
                                   {{2}, {huge}},
                                   {{huge, huge}, {1, 1}},
                                   {{huge, huge}, {0, 0}},
                                   {{huge}, {1}, huge},
                                   {{0}, {1}, huge}}) {
    const auto text = tensor_error(bad);
    BOOST_TEST(text.starts_with("corrupt_data: f: t: "), text);
    BOOST_TEST(contains(text, "lies outside its storage of 24 bytes"), text);
  }
  BOOST_TEST(contains(tensor_error({{1 << 20}, {0}}), "more bytes than the "));
  BOOST_TEST(contains(tensor_error({{2, 3}, {1}}), "2 dimensions but 1"));
  BOOST_TEST(contains(tensor_error({dims(65, 1), dims(65, 1)}),
                      "65 dimensions exceed the limit of 64"));
}

BOOST_AUTO_TEST_CASE(a_storage_must_be_there) {
  auto tensor = plain;
  tensor.elements = 7;
  BOOST_TEST(contains(tensor_error(tensor), "should have 28 bytes, has 24"));
  for (const std::int64_t elements :
       {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    tensor.elements = elements;
    BOOST_TEST(contains(tensor_error(tensor), "t: a storage of"));
  }
  tensor = plain;
  tensor.key = "1";
  BOOST_TEST(contains(tensor_error(tensor), "t: the archive lacks its"));
  tensor.key = "../data.pkl";
  BOOST_TEST(contains(tensor_error(tensor), "t: the archive lacks its"));
}

BOOST_AUTO_TEST_CASE(other_kinds_of_file_are_refused_by_name) {
  const auto pickle = dict_of(text_of("t") + tensor_of(plain));
  BOOST_TEST(contains(parse_error("\x80\x02\x8a\x0a" + std::string(10, 'l')),
                      "unsupported: f: in the legacy format"));
  BOOST_TEST(contains(
      parse_error(zip_of({{"m/data.pkl", pickle}, {"m/constants.pkl", ""}})),
      "unsupported: f: a TorchScript archive"));
  BOOST_TEST(contains(
      parse_error(zip_of({{"m/data.pkl", pickle}, {"m/byteorder", "big"}})),
      "unsupported: f: byteorder: not little-endian"));
  BOOST_TEST(contains(parse_error(zip_of({{"m/other", ""}})), "no data.pkl"));
  BOOST_TEST(contains(parse_error("junk"), "not a zip archive"));
}

BOOST_AUTO_TEST_CASE(only_a_state_dict_is_accepted) {
  for (const std::string &root :
       {"]"s, "}"s, tensor_of(plain), "(" + tensor_of(plain) + "t",
        "}" + text_of("state_dict") + "}" + text_of("t") + tensor_of(plain) +
            "ss"})
    BOOST_TEST(contains(parse_error(torch_bytes("\x80\x02" + root + ".")),
                        "not a state dict"));
  const auto t = text_of("t") + tensor_of(plain);
  BOOST_TEST(contains(parse_error(torch_bytes(dict_of(t + t))), "given twice"));
  BOOST_TEST(contains(
      parse_error(torch_bytes(dict_of(t + number_of(1) + tensor_of(plain)))),
      "a key that is not text"));
  BOOST_TEST(
      contains(parse_error(torch_bytes(dict_of(
                   t + text_of(std::string(2000, 'n')) + tensor_of(plain)))),
               "a name longer than 1024"));
}

BOOST_AUTO_TEST_CASE(dicts_that_hold_themselves_end) {
  const auto t = text_of("t") + tensor_of(plain);
  BOOST_TEST(contains(parse_error(torch_bytes("\x80\x02}q\x00("s + t +
                                              text_of("x") + "h\x00u."s)),
                      "nested deeper than 8"));
  // Each dict holds the one before it 30 times: 30^7 tensors by name.
  std::string pickle = "\x80\x02}q\x00("s + t + "u";
  for (char level = 0; level < 7; ++level) {
    pickle += "}q"s + static_cast<char>(level + 1) + "(";
    for (int i = 0; i < 30; ++i)
      pickle += text_of(std::to_string(i)) + "h" + level;
    pickle += "u";
  }
  pickle += "(" + t + "u";
  // Drop the seven dicts below the last.
  pickle += "q\x09" + std::string(8, '0') + "h\x09.";
  BOOST_TEST(contains(parse_error(torch_bytes(pickle)), "more than 262144"));
}

BOOST_AUTO_TEST_SUITE_END()
