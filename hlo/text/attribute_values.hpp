// The structured values that attributes of HLO text have: lists, bounds,
// paddings, windows, groups. Each is written and read here, side by side.
#pragma once

#include "hlo/attributes.hpp"
#include "hlo/text/lexer.hpp"

namespace ganglion::hlo::text {

/// "{0,2}".
void append_list(std::string &out, const dims &list);
dims read_list(lexer &in);

/// "{[0:2], [1:3:2]}": starts, limits and (unless all are 1) strides.
void append_slice(std::string &out, const attributes &a);
void read_slice(lexer &in, attributes &a);

/// "1_2x0_0", with a third number each when any interior padding is not 0.
void append_padding(std::string &out, const std::vector<padding_dim> &padding);
std::vector<padding_dim> read_padding(lexer &in);

/// "{size=1x3 stride=1x2 pad=0_0x1_1}"; strides of 1 and padding of 0 are
/// left out.
void append_window(std::string &out, const std::vector<window_dim> &window);
std::vector<window_dim> read_window(lexer &in);

/// "{{0,1},{2,3}}"; "[2,2]<=[4]" is read as well.
void append_groups(std::string &out, const std::vector<dims> &groups);
std::vector<dims> read_groups(lexer &in);

/// `{a="x",b="y"}`; a value in braces may be read without quotes.
void append_frontend(std::string &out,
                     const std::map<std::string, std::string> &values);
std::map<std::string, std::string> read_frontend(lexer &in);

} // namespace ganglion::hlo::text
