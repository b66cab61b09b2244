#include "hlo/text/attribute_values.hpp"

#include <algorithm>

namespace ganglion::hlo::text {

namespace {

void append_number(std::string &out, std::int64_t n) {
  out += std::to_string(n);
}

/// "1x3": one number per dimension of a window.
template <class F>
void append_by_dimension(std::string &out, std::size_t count, F append) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0)
      out += 'x';
    append(i);
  }
}

template <class F>
void read_by_dimension(lexer &in, std::vector<window_dim> &window, F read) {
  for (std::size_t i = 0; i < window.size(); ++i) {
    if (i > 0)
      in.expect("x");
    read(window[i]);
  }
}

void read_window_sizes(lexer &in, std::vector<window_dim> &window) {
  do
    window.emplace_back().size = in.integer();
  while (in.accept("x"));
}

} // namespace

void append_list(std::string &out, const dims &list) {
  out += '{';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i > 0)
      out += ',';
    append_number(out, list[i]);
  }
  out += '}';
}

dims read_list(lexer &in) {
  in.expect("{");
  return in.integers_until('}');
}

void append_slice(std::string &out, const attributes &a) {
  const bool strided =
      std::any_of(a.slice_strides.begin(), a.slice_strides.end(),
                  [](auto stride) { return stride != 1; });
  out += '{';
  for (std::size_t i = 0; i < a.slice_starts.size(); ++i) {
    out += i > 0 ? ", [" : "[";
    append_number(out, a.slice_starts[i]);
    out += ':';
    append_number(out, a.slice_limits[i]);
    if (strided) {
      out += ':';
      append_number(out, a.slice_strides[i]);
    }
    out += ']';
  }
  out += '}';
}

void read_slice(lexer &in, attributes &a) {
  in.expect("{");
  if (in.accept("}"))
    return;
  do {
    in.expect("[");
    a.slice_starts.push_back(in.integer());
    in.expect(":");
    a.slice_limits.push_back(in.integer());
    a.slice_strides.push_back(in.accept(":") ? in.integer() : 1);
    in.expect("]");
  } while (in.accept(","));
  in.expect("}");
}

void append_padding(std::string &out, const std::vector<padding_dim> &padding) {
  const bool interior = std::any_of(padding.begin(), padding.end(),
                                    [](auto &p) { return p.interior != 0; });
  append_by_dimension(out, padding.size(), [&](std::size_t i) {
    append_number(out, padding[i].low);
    out += '_';
    append_number(out, padding[i].high);
    if (interior) {
      out += '_';
      append_number(out, padding[i].interior);
    }
  });
}

std::vector<padding_dim> read_padding(lexer &in) {
  std::vector<padding_dim> out;
  do {
    padding_dim &p = out.emplace_back();
    p.low = in.integer();
    in.expect("_");
    p.high = in.integer();
    if (in.accept("_"))
      p.interior = in.integer();
  } while (in.accept("x"));
  return out;
}

void append_window(std::string &out, const std::vector<window_dim> &window) {
  const auto any = [&](auto differs) {
    return std::any_of(window.begin(), window.end(), differs);
  };
  out += '{';
  if (!window.empty())
    out += "size=";
  append_by_dimension(out, window.size(),
                      [&](auto i) { append_number(out, window[i].size); });
  if (any([](auto &w) { return w.stride != 1; })) {
    out += " stride=";
    append_by_dimension(out, window.size(),
                        [&](auto i) { append_number(out, window[i].stride); });
  }
  if (any([](auto &w) { return w.pad_low != 0 || w.pad_high != 0; })) {
    out += " pad=";
    append_by_dimension(out, window.size(), [&](auto i) {
      append_number(out, window[i].pad_low);
      out += '_';
      append_number(out, window[i].pad_high);
    });
  }
  out += '}';
}

std::vector<window_dim> read_window(lexer &in) {
  std::vector<window_dim> out;
  in.expect("{");
  while (!in.accept("}")) {
    const std::size_t place = in.place();
    const std::string_view key = in.name();
    in.expect("=");
    if (key == "size" && out.empty())
      read_window_sizes(in, out);
    else if (key == "stride" && !out.empty())
      read_by_dimension(in, out, [&](auto &w) { w.stride = in.integer(); });
    else if (key == "pad" && !out.empty())
      read_by_dimension(in, out, [&](auto &w) {
        w.pad_low = in.integer();
        in.expect("_");
        w.pad_high = in.integer();
      });
    else
      in.fail_at(place, "expected size, then stride or pad, in a window");
  }
  return out;
}

void append_groups(std::string &out, const std::vector<dims> &groups) {
  out += '{';
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0)
      out += ',';
    append_list(out, groups[i]);
  }
  out += '}';
}

namespace {

constexpr std::int64_t max_devices = 65536;

/// "[groups,size]<=[devices]": devices in order, cut into groups.
std::vector<dims> read_iota_groups(lexer &in) {
  const std::size_t place = in.place();
  in.expect("[");
  const dims sizes = in.integers_until(']');
  in.expect("<=");
  in.expect("[");
  const dims devices = in.integers_until(']');
  if (in.at_name())
    in.fail("transposed replica groups are not supported");
  if (sizes.size() != 2 || devices.size() != 1 || sizes[0] < 1 ||
      sizes[1] < 1 || devices[0] > max_devices || sizes[0] > max_devices ||
      sizes[1] > max_devices || sizes[0] * sizes[1] != devices[0])
    in.fail_at(place, "replica groups must be [groups,size]<=[devices]");
  std::vector<dims> out(static_cast<std::size_t>(sizes[0]));
  std::int64_t device = 0;
  for (dims &group : out)
    for (std::int64_t i = 0; i < sizes[1]; ++i)
      group.push_back(device++);
  return out;
}

} // namespace

std::vector<dims> read_groups(lexer &in) {
  if (in.peek("["))
    return read_iota_groups(in);
  std::vector<dims> out;
  in.expect("{");
  if (in.accept("}"))
    return out;
  do
    out.push_back(read_list(in));
  while (in.accept(","));
  in.expect("}");
  return out;
}

void append_frontend(std::string &out,
                     const std::map<std::string, std::string> &values) {
  out += '{';
  for (const auto &[key, value] : values) {
    if (out.back() != '{')
      out += ',';
    out += key + "=\"";
    for (const char c : value) {
      if (c == '"' || c == '\\')
        out += '\\';
      out += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    out += '"';
  }
  out += '}';
}

std::map<std::string, std::string> read_frontend(lexer &in) {
  std::map<std::string, std::string> out;
  in.expect("{");
  if (in.accept("}"))
    return out;
  do {
    const std::string key(in.name());
    in.expect("=");
    if (!out.emplace(key, in.peek("{") ? std::string(in.braced()) : in.quoted())
             .second)
      in.fail("frontend attribute '" + key + "' given twice");
  } while (in.accept(","));
  in.expect("}");
  return out;
}

} // namespace ganglion::hlo::text
