"""XLA as judge of random modules: what xla_random_cases wrote must come out of
XLA:CPU alike. Prints every disagreement and the count."""

import pathlib
import sys

import numpy as np
from safetensors.numpy import load_file

import xla_runner

BOUND = 1e-4


def arrays(path):
    tensors = load_file(path)
    return [tensors[str(k)] for k in range(len(tensors))]


def differs(got, want, exact):
    """How an output disagrees; empty when it does not."""
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if exact:
        same = (got == want) | ((got != got) & (want != want))
        return "" if same.all() else f"{(~same).sum()} exact elements"
    got, want = got.astype(np.float64), want.astype(np.float64)
    scale = max(1.0, float(np.abs(want).max(initial=0)))
    most = float(np.abs(got - want).max(initial=0)) / scale
    return "" if most <= BOUND else f"by {most:.1e}"


def judge(stem):
    exact = pathlib.Path(f"{stem}.exact").read_text().split()
    program = xla_runner.Program(pathlib.Path(f"{stem}.hlo.pb").read_bytes())
    results = program.run([arrays(f"{stem}.inputs.safetensors")])[0]
    expected = arrays(f"{stem}.expected.safetensors")
    found = [f"output {k} {why}"
             for k, (got, want) in enumerate(zip(results, expected))
             if (why := differs(got, want, exact[k] == "1"))]
    return ", ".join(found)


def main(directory):
    seeds = sorted(int(p.name.split(".")[0])
                   for p in pathlib.Path(directory).glob("*.hlo.pb"))
    failed = 0
    for seed in seeds:
        try:
            why = judge(f"{directory}/{seed}")
        except Exception as refusal:  # XLA's own kinds, and ours
            why = "refused: " + str(refusal).replace("\n", " ")[:400]
        if why:
            failed += 1
            print(f"module {seed}: {why}", flush=True)
    print(f"random modules: {len(seeds) - failed} passed, {failed} failed")
    return 1 if failed or not seeds else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
