// How single elements of literals are written in HLO text: every value reads
// back to the same bits.
#pragma once

#include "hlo/literal.hpp"

#include <string>
#include <string_view>

namespace ganglion::hlo::text {

/// Appends element `i`: decimal digits, the shortest that read back exactly;
/// "inf", "-inf", "nan", "-nan", or "nan(0x1)" with an unusual payload.
/// `pred` is written as 0 or 1.
void append_element(std::string &out, const literal_view &from, std::int64_t i);

/// Reads what `append_element` writes, and "true" and "false" as XLA does.
/// Returns false when `token` is no such number or does not fit the type.
bool read_element(std::string_view token, const literal_view &to,
                  std::int64_t i);

} // namespace ganglion::hlo::text
