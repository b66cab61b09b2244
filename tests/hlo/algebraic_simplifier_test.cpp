#include "hlo/passes/algebraic_simplifier.hpp"
#include "hlo/verifier.hpp"
#include "tests/hlo/hlo_cases.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

using namespace ganglion;
using namespace ganglion::hlo;
using namespace ganglion::testing;

namespace {

struct rewrite {
  const char *before;
  /// The root afterwards.
  const char *after;
};

std::ostream &operator<<(std::ostream &out, const rewrite &r) {
  return out << r.before;
}

// Every case has f32[2,3] x, s32[2,3] n, bf16[2,3] h and pred[2,3] p.
const char *const parameters = "x = f32[2,3] parameter(0)\n"
                               "n = s32[2,3] parameter(1)\n"
                               "h = bf16[2,3] parameter(2)\n"
                               "p = pred[2,3] parameter(3)\n";

const char *const x = "%x = f32[2,3]{1,0} parameter(0)";
const char *const n = "%n = s32[2,3]{1,0} parameter(1)";
const char *const h = "%h = bf16[2,3]{1,0} parameter(2)";
const char *const p = "%p = pred[2,3]{1,0} parameter(3)";

const rewrite simpler[] = {
    {"z = s32[] constant(0)\n b = s32[2,3] broadcast(z), dimensions={}\n"
     "ROOT r = s32[2,3] add(b, n)",
     n},
    {"z = f32[] constant(-0)\n b = f32[2,3] broadcast(z), dimensions={}\n"
     "ROOT r = f32[2,3] add(x, b)",
     x},
    {"z = f32[2,3] constant({{0, 0, 0}, {0, 0, 0}})\n"
     "ROOT r = f32[2,3] subtract(x, z)",
     x},
    {"o = f32[] constant(1)\n b = f32[2,3] broadcast(o), dimensions={}\n"
     "ROOT r = f32[2,3] multiply(b, x)",
     x},
    {"o = f32[] constant(1)\n b = f32[2,3] broadcast(o), dimensions={}\n"
     "ROOT r = f32[2,3] divide(x, b)",
     x},
    {"z = s32[] constant(0)\n b = s32[2,3] broadcast(z), dimensions={}\n"
     "ROOT r = s32[2,3] multiply(n, b)",
     "%b = s32[2,3]{1,0} broadcast(%z), dimensions={}"},
    {"a = f32[2,3] negate(x)\n ROOT r = f32[2,3] negate(a)", x},
    {"a = pred[2,3] not(p)\n ROOT r = pred[2,3] not(a)", p},
    {"ROOT r = f32[2,3] maximum(x, x)", x},
    {"t = pred[] constant(true)\n b = pred[2,3] broadcast(t), dimensions={}\n"
     "ROOT r = pred[2,3] and(p, b)",
     p},
    {"t = pred[] constant(false)\n b = pred[2,3] broadcast(t), dimensions={}\n"
     "ROOT r = pred[2,3] or(b, p)",
     p},
    {"ROOT r = f32[2,3] select(p, x, x)", x},
    {"t = pred[] constant(false)\n b = pred[2,3] broadcast(t), dimensions={}\n"
     "m = f32[2,3] abs(x)\n ROOT r = f32[2,3] select(b, m, x)",
     x},
    {"ROOT r = f32[2,3] convert(x)", x},
    {"a = f32[2,3] convert(h)\n ROOT r = bf16[2,3] convert(a)", h},
    {"a = f32[2,3] convert(h)\n ROOT r = f16[2,3] convert(a)",
     "%convert = f16[2,3]{1,0} convert(%h)"},
    {"a = f32[6] reshape(x)\n ROOT r = f32[3,2] reshape(a)",
     "%reshape = f32[3,2]{1,0} reshape(%x)"},
    {"ROOT r = f32[2,3] reshape(x)", x},
    {"ROOT r = f32[2,3] transpose(x), dimensions={0,1}", x},
    {"a = f32[3,2] transpose(x), dimensions={1,0}\n"
     "ROOT r = f32[2,3] transpose(a), dimensions={1,0}",
     x},
    {"a = f32[4,2,3] broadcast(x), dimensions={1,2}\n"
     "b = f32[3,4,2] transpose(a), dimensions={2,0,1}\n"
     "ROOT r = f32[2,3,4] transpose(b), dimensions={2,0,1}",
     "%transpose = f32[2,3,4]{2,1,0} transpose(%a), dimensions={1,2,0}"},
    {"ROOT r = f32[2,3] broadcast(x), dimensions={0,1}", x},
    {"a = f32[4,2,3] broadcast(x), dimensions={1,2}\n"
     "ROOT r = f32[2,4,3,5] broadcast(a), dimensions={1,0,2}",
     "%broadcast = f32[2,4,3,5]{3,2,1,0} broadcast(%x), dimensions={0,2}"},
    {"ROOT r = f32[2,3] slice(x), slice={[0:2], [0:3]}", x},
    {"i = s32[] constant(1)\n"
     "ROOT r = f32[2,3] dynamic-slice(x, i, i), dynamic_slice_sizes={2,3}",
     x},
    {"i = s32[] constant(1)\n a = f32[2,3] abs(x)\n"
     "ROOT r = f32[2,3] dynamic-update-slice(a, x, i, i)",
     x},
    {"z = f32[] constant(0)\n ROOT r = f32[2,3] pad(x, z), padding=0_0x0_0", x},
    {"ROOT r = f32[2,3] reverse(x), dimensions={}", x},
    {"ROOT r = f32[2,3] concatenate(x), dimensions={1}", x},
    {"ROOT r = f32[2,3] bitcast-convert(x)", x},
    {"t = (f32[2,3], s32[2,3]) tuple(x, n)\n"
     "ROOT r = s32[2,3] get-tuple-element(t), index=1",
     n},
};

const char *const untouched[] = {
    // -0 + 0 is 0
    "z = f32[] constant(0)\n b = f32[2,3] broadcast(z), dimensions={}\n"
    "ROOT r = f32[2,3] add(x, b)",
    // -0 - -0 is 0
    "z = f32[] constant(-0)\n b = f32[2,3] broadcast(z), dimensions={}\n"
    "ROOT r = f32[2,3] subtract(x, b)",
    "z = f32[] constant(0)\n b = f32[2,3] broadcast(z), dimensions={}\n"
    "ROOT r = f32[2,3] multiply(x, b)",
    "o = f32[] constant(1)\n b = f32[2,3] broadcast(o), dimensions={}\n"
    "ROOT r = f32[2,3] divide(b, x)",
    "z = f32[2,3] constant({{1, 1, 1}, {1, 1, 2}})\n"
    "ROOT r = f32[2,3] multiply(x, z)",
    "a = bf16[2,3] convert(x)\n ROOT r = f32[2,3] convert(a)",
    "a = f32[2,3] convert(n)\n ROOT r = s32[2,3] convert(a)",
    "a = s8[2,3] convert(n)\n ROOT r = s32[2,3] convert(a)",
    "ROOT r = f32[2,3]{0,1} copy(x)",
    "ROOT r = f32[2,3] reverse(x), dimensions={1}",
    "z = f32[] constant(0)\n ROOT r = f32[2,3] pad(x, z), padding=0_0x1_-1",
    "z = f32[2,2] constant({{1, 2}, {3, 4}})\n"
    "ROOT r = f32[2,2] broadcast(z), dimensions={1,0}",
};

} // namespace

BOOST_AUTO_TEST_SUITE(algebraic_simplifier)

BOOST_DATA_TEST_CASE(rewrites, boost::unit_test::data::make(simpler), r) {
  const auto m = parse(in_module(std::string(parameters) + r.before), "case");
  BOOST_TEST(hlo::algebraic_simplifier(*m));
  verify(*m);
  BOOST_TEST(print(*m->entry()->root()) == r.after);
}

BOOST_DATA_TEST_CASE(leaves_alone, boost::unit_test::data::make(untouched),
                     lines) {
  const auto m = parse(in_module(std::string(parameters) + lines), "case");
  const std::string before = print(*m);
  BOOST_TEST(!hlo::algebraic_simplifier(*m));
  BOOST_TEST(print(*m) == before);
}

BOOST_AUTO_TEST_SUITE_END()
