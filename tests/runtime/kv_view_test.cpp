// How ranks see blocks that they share or sequences that they do not keep.
#include "runtime/sharding/kv_view.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace ganglion;

namespace {

hlo::placement placed(hlo::group_query strategy, bool over_sequence) {
  hlo::decoder_spec s;
  s.heads = 8;
  s.kv_heads = 2;
  s.head_dim = 8;
  return {s, {8, strategy, over_sequence, false}};
}

constexpr std::int64_t blocks = 5, block = 16;

} // namespace

BOOST_AUTO_TEST_SUITE(kv_view)

BOOST_AUTO_TEST_CASE(plain_ranks_see_everything) {
  const runtime::kv_view v(placed(hlo::group_query::replicated_heads, false), 3,
                           block, blocks);
  BOOST_TEST(v.write_slot(37, 2) == 37);
  BOOST_TEST(v.kept(37, 2) == 37);
  BOOST_TEST(v.plan_block() == block);
  BOOST_TEST(v.nowhere() == blocks * block);
}

BOOST_AUTO_TEST_CASE(every_position_is_kept_by_one_rank_of_its_head) {
  const auto p = placed(hlo::group_query::replicated_heads, true);
  for (std::int32_t position = 0; position < 4 * block * blocks; ++position) {
    int writers = 0;
    std::int32_t kept_before = 0, kept_after = 0;
    for (std::int64_t rank = 4; rank < 8; ++rank) {
      const runtime::kv_view v(p, rank, block, blocks);
      const auto slot = v.write_slot(position, 0);
      kept_before += v.kept(position, 0);
      kept_after += v.kept(position + 1, 0);
      if (slot == v.nowhere())
        continue;
      ++writers;
      // The blocks of the test follow each other, so a rank's positions do.
      BOOST_TEST(slot == v.kept(position, 0));
    }
    BOOST_TEST(writers == 1);
    BOOST_TEST(kept_before == position);
    BOOST_TEST(kept_after == position + 1);
  }
}

BOOST_AUTO_TEST_CASE(every_sequence_is_kept_by_one_rank) {
  const auto p = placed(hlo::group_query::shard_over_batch, false);
  for (std::int32_t slot = 0; slot < 16; ++slot) {
    std::set<std::int64_t> keepers;
    for (std::int64_t rank = 0; rank < 8; ++rank) {
      const runtime::kv_view v(p, rank, block, blocks);
      if (v.kept(20, slot) == 0) {
        BOOST_TEST(v.write_slot(19, slot) == v.nowhere());
        continue;
      }
      keepers.insert(rank);
      BOOST_TEST(v.kept(20, slot) == 20);
      BOOST_TEST(v.write_slot(19, slot) == 19);
    }
    BOOST_TEST(keepers.size() == 1u);
  }
}

BOOST_AUTO_TEST_SUITE_END()
