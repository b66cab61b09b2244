// Which part of a call's operands and result each member of a team touches:
// what the places where members must meet follow from.
#pragma once

#include "neuron/program.hpp"

#include <vector>

namespace ganglion::neuron {

/// How the members share one array.
struct share_map {
  enum class kind : std::uint8_t {
    whole,   ///< every member may touch all of it
    first,   ///< only member 0 touches it
    rows,    ///< range_of(rows, share)
    columns, ///< of every row, range_of(units, share) units
    heads,   ///< the same where the members divide the units, else anything
  };
  kind how = kind::whole;
  row_bound bound = row_bound::all; ///< of rows
  std::int64_t units = 0;           ///< rows; or units of columns
  std::int64_t width = 0;           ///< bytes of a unit
  std::int64_t row_bytes = 0;       ///< where columns end

  static share_map by_columns(std::int64_t units, std::int64_t width,
                              std::int64_t row_bytes) {
    return {kind::columns, row_bound::all, units, width, row_bytes};
  }
  /// Heads are whole, so a row ends with the last one.
  static share_map by_heads(std::int64_t heads, std::int64_t width) {
    return {kind::heads, row_bound::all, heads, width, heads * width};
  }
};

/// What a kernel says about itself. The default suits any kernel: it may read
/// and write anything.
struct sharing {
  std::vector<share_map> operands; ///< those left out: whole
  share_map result;
};

/// One use of memory by a call.
struct memory_use {
  buffer_ref where;
  std::size_t bytes = 0;
  bool writes = false;
  share_map by;
};

/// Whether two calls, of a team of `members`, must not run at the same time
/// for these uses.
bool clash(const memory_use &a, const memory_use &b, std::int64_t members);

} // namespace ganglion::neuron
