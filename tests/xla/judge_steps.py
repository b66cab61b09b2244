"""XLA as judge of step graphs: runs the cases that xla_step_cases wrote and
compares them with what the host device made of them. Prints a table; fails
when XLA refuses a module or a deviation is above its bound."""

import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file

import xla_runner

STEPS = ("prefill", "chunk", "mixed", "decode")
FORMS = ("plain", "optimised", "inlined")
# Largest deviation of logits and caches, relative to the largest element. Where
# the graph itself rounds, to int8 or bf16, a value between two steps may fall
# to either side.
BOUND = 1e-4
ROUNDING = {"kv-int8": 2e-2, "all-reduce-bf16": 1e-2, "logits-f16": 1e-3}


def by_rank(path):
    """Lists of arrays, one for each rank, in the order of their numbers."""
    tensors = load_file(path)
    ranks = {}
    for name, value in tensors.items():
        number, _, rank = name.partition("*")
        ranks.setdefault(int(rank or 0), {})[int(number)] = value
    return [[of[k] for k in sorted(of)] for _, of in sorted(ranks.items())]


def deviation(got, want):
    if got.size == 0:
        return 0.0
    got, want = got.astype(np.float64), want.astype(np.float64)
    scale = max(float(np.abs(want).max()), 1e-30)
    most = float(np.abs(got - want).max()) / scale
    return most if np.isfinite(most) else float("inf")


def compare(results, expected, live_logits):
    most = 0.0
    for got, want in zip(results, expected):
        assert len(got) == len(want)
        most = max(most, deviation(got[0][:live_logits], want[0][:live_logits]))
        for k in range(1, len(want)):
            most = max(most, deviation(got[k], want[k]))
    return most


def judge(case):
    """The worst deviation of every step, over all forms of the module."""
    inputs = sorted(case.glob("*.inputs.safetensors"))
    arguments = [by_rank(path) for path in inputs]
    expected = [by_rank(str(path).replace(".inputs.", ".expected."))
                for path in inputs]
    worst = [0.0] * len(inputs)
    for form in FORMS:
        proto = (case / f"{form}.hlo.pb").read_bytes()
        program = xla_runner.Program(proto, len(arguments[0]))
        for s, values in enumerate(arguments):
            live_logits = int(values[0][0][1])
            results = program.run(values)
            worst[s] = max(worst[s],
                           compare(results, expected[s], live_logits))
    return worst


def main(root):
    cases = sorted(p for p in pathlib.Path(root).iterdir() if p.is_dir())
    print("| case | " + " | ".join(STEPS) + " | bound |")
    print("|---|" + "---|" * (len(STEPS) + 1))
    failed = 0
    for case in cases:
        bound = ROUNDING.get(case.name.split(",")[1], BOUND)
        try:
            worst = judge(case)
            row = " | ".join(f"{w:.1e}" for w in worst)
            bad = max(worst) > bound
        except Exception as refusal:  # XLA's own kinds, and ours
            row = "refused: " + str(refusal).replace("\n", " ")[:300]
            bad = True
        failed += bad
        print(f"| {case.name} | {row} | {bound:.0e}{' FAILED' if bad else ''} |",
              flush=True)
    print(f"step graphs: {len(cases) - failed} passed, {failed} failed")
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
