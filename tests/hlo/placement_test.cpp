// Which heads and KV columns ranks get, and what falls back to what.
#include "hlo/decoder/placement.hpp"
#include "hlo/support/error.hpp"

#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;

namespace {

using numbers = std::vector<std::int64_t>;

decoder_spec model(std::int64_t heads, std::int64_t kv_heads) {
  decoder_spec s;
  s.heads = heads;
  s.kv_heads = kv_heads;
  s.head_dim = 8;
  s.mlp = 100;
  s.vocabulary = 101;
  return s;
}

placement placed(const decoder_spec &spec, sharding_options wanted,
                 std::int64_t slots = 32) {
  std::vector<std::string> notes;
  return {spec, resolve_sharding(spec, wanted, slots, notes)};
}

/// The KV heads behind a rank's columns.
numbers kv_heads_of(const placement &p, std::int64_t rank) {
  numbers out;
  const auto columns = p.kv_columns_of(rank);
  for (std::size_t i = 0; i < columns.size(); i += 8)
    out.push_back(columns[i] < 0 ? -1 : columns[i] / 8);
  return out;
}

/// What was asked for, and what came of it.
std::string strategy(const decoder_spec &spec, sharding_options wanted,
                     std::int64_t slots = 32) {
  std::vector<std::string> notes;
  const auto out = resolve_sharding(spec, wanted, slots, notes);
  return std::string(to_string(out.strategy)) + (notes.empty() ? "" : "!");
}

} // namespace

BOOST_AUTO_TEST_SUITE(placement)

BOOST_AUTO_TEST_CASE(kv_heads_follow_their_queries) {
  const auto p = placed(model(8, 4), {2});
  BOOST_TEST(p.heads_of(1) == (numbers{4, 5, 6, 7}),
             boost::test_tools::per_element());
  BOOST_TEST(kv_heads_of(p, 1) == (numbers{2, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(fewer_kv_heads_than_ranks_are_copied) {
  const auto p = placed(model(8, 2), {4});
  for (std::int64_t rank = 0; rank < 4; ++rank)
    BOOST_TEST(kv_heads_of(p, rank) == (numbers{rank / 2}),
               boost::test_tools::per_element());
}

// 72 query and 24 KV heads on 32 ranks: 3 query heads a rank share one.
BOOST_AUTO_TEST_CASE(heads_padded_at_the_end) {
  const auto p =
      placed(model(72, 24), {32, group_query::automatic, false, true});
  BOOST_TEST(p.heads() == 3);
  BOOST_TEST(p.kv_heads() == 1);
  BOOST_TEST(kv_heads_of(p, 23) == (numbers{23}),
             boost::test_tools::per_element());
  BOOST_TEST(p.heads_of(24) == (numbers{-1, -1, -1}),
             boost::test_tools::per_element());
  BOOST_TEST(kv_heads_of(p, 24) == (numbers{-1}),
             boost::test_tools::per_element());
}

// 56 query and 8 KV heads on 32 ranks: 64 heads, one of zeros in every group,
// so that no real head moves to another KV head.
BOOST_AUTO_TEST_CASE(heads_padded_in_every_group) {
  const auto p =
      placed(model(56, 8), {32, group_query::automatic, false, true});
  BOOST_TEST(p.heads() == 2);
  BOOST_TEST(p.kv_heads() == 1);
  BOOST_TEST(p.heads_of(3) == (numbers{6, -1}),
             boost::test_tools::per_element());
  BOOST_TEST(p.heads_of(4) == (numbers{7, 8}),
             boost::test_tools::per_element());
  BOOST_TEST(kv_heads_of(p, 4) == (numbers{1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(uneven_sharing_gives_every_query_its_copy) {
  const auto p = placed(model(6, 3), {2}); // ranks end inside a KV group
  BOOST_TEST(kv_heads_of(p, 0) == (numbers{0, 0, 1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(explicit_replication_copies_whole_heads) {
  const auto p = placed(model(8, 4), {2, group_query::replicated_heads});
  BOOST_TEST(kv_heads_of(p, 1) == (numbers{2, 2, 3, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(gathered_heads_are_projected_in_parts) {
  const auto p = placed(model(8, 2), {4, group_query::all_gather_heads});
  BOOST_TEST(p.kv_columns() == 4);
  BOOST_TEST(p.ranks_of_kv_head() == 2);
  BOOST_TEST(p.kv_columns_of(3) == (numbers{12, 13, 14, 15}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_rank_of_a_batch_share_attends_with_all_heads) {
  const auto p = placed(model(8, 2), {4, group_query::shard_over_batch});
  BOOST_TEST(p.heads() == 2);
  BOOST_TEST(p.attended_heads() == 8);
  BOOST_TEST(p.kv_heads() == 2);
  BOOST_TEST(p.kv_partitions() == 4);
}

BOOST_AUTO_TEST_CASE(positions_are_spread_over_the_ranks_of_a_kv_head) {
  const auto p = placed(model(8, 2), {8, group_query::automatic, true});
  BOOST_TEST(p.stripes() == 4);
  BOOST_TEST(p.heads() == 1);
  BOOST_TEST(p.attended_heads() == 4);
}

BOOST_AUTO_TEST_CASE(strategies_that_do_not_fit_fall_back) {
  using enum group_query;
  BOOST_TEST(strategy(model(8, 4), {2}) == "shard-over-heads");
  BOOST_TEST(strategy(model(8, 2), {4}) == "replicated-heads");
  BOOST_TEST(strategy(model(8, 2), {4, shard_over_heads}) ==
             "replicated-heads!");
  BOOST_TEST(strategy(model(8, 2), {4, shard_over_batch}) ==
             "shard-over-batch");
  BOOST_TEST(strategy(model(8, 4), {4, shard_over_batch}, 6) ==
             "shard-over-heads!");
  BOOST_TEST(strategy(model(12, 3), {4, all_gather_heads}) ==
             "replicated-heads!");
  BOOST_TEST(strategy(model(8, 8), {4, automatic, true}) ==
             "shard-over-heads!");
}

BOOST_AUTO_TEST_CASE(degrees_that_do_not_divide_the_heads_are_refused) {
  std::vector<std::string> notes;
  const auto refused = [](const error &e) {
    return e.field() == "tensor_parallel_degree" &&
           std::string(e.what()).find("1, 5, 25") != std::string::npos;
  };
  BOOST_CHECK_EXCEPTION(resolve_sharding(model(25, 25), {2}, 1, notes), error,
                        refused);
  BOOST_CHECK_EXCEPTION(
      resolve_sharding(model(25, 25), {26, group_query::automatic, false, true},
                       1, notes),
      error, refused);
  BOOST_TEST(
      placed(model(25, 25), {2, group_query::automatic, false, true}).heads() ==
      13);
}

BOOST_AUTO_TEST_SUITE_END()
