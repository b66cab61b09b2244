"""A hundred small JAX functions as the HLO text and the proto that XLA writes of
them, with inputs and what XLA:CPU makes of these, in values.safetensors.
Argument: the directory."""

import pathlib
import sys

import xla_runner  # noqa: F401  sets JAX up before its first use

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jaxlib import _hlo
from safetensors.numpy import save_file

# As most JAX programs have it: numbers are f32 and s32.
jax.config.update("jax_enable_x64", False)

random = np.random.default_rng(7)


def floats(*shape, scale=1.0, type=np.float32):
    return (random.standard_normal(shape) * scale).astype(type)


def integers(*shape, low=-9, high=9, type=np.int32):
    return random.integers(low, high, shape).astype(type)


def halves(*shape):
    return jnp.asarray(floats(*shape), jnp.bfloat16)


X, Y, W = floats(3, 4), floats(3, 4), floats(4, 5)
V, POSITIVE = floats(7), np.abs(floats(3, 4)) + 0.1
I, J, U = integers(3, 4), integers(3, 4, low=1), integers(3, 4, low=0,
                                                       type=np.uint32)
IDS = integers(6, low=-2, high=9)
LARGE = np.array([1e10, -1e10, 3.7, -3.7, np.nan, np.inf, -np.inf, 127.5, 255.9],
                 np.float32)
EDGES = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1e-30, 2.5, -2.5, 3.5],
                 np.float32)
P = X > 0


def attention(q, k, v):
    scores = jnp.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jnp.einsum("hqk,khd->qhd",
                      jax.nn.softmax(jnp.where(mask, scores, -1e30)), v)


def rms_norm(x, w):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * w


def layer_norm(x, w, b):
    centred = x - x.mean(-1, keepdims=True)
    return centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * w + b


def rotary(x, positions):
    half = x.shape[-1] // 2
    angles = positions[:, None] * 10000.0 ** (-jnp.arange(half) / half)
    c, s = jnp.cos(angles), jnp.sin(angles)
    a, b = x[:, :half], x[:, half:]
    return jnp.concatenate([a * c - b * s, b * c + a * s], -1)


def swiglu(x, gate, up, down):
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def scan_sum(x):
    return lax.scan(lambda c, row: (c + row, c * row), jnp.zeros(4), x)


def collatz(n):
    def body(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1
    return lax.while_loop(lambda s: s[0] != 1, body, (n, 0))


def write_cache(cache, rows, slots):
    return cache.at[slots].set(rows, mode="drop")


def top_p_mask(logits):
    order = jnp.argsort(-logits)
    kept = jnp.cumsum(jax.nn.softmax(logits[order])) < 0.9
    return jnp.zeros_like(kept).at[order].set(kept)


def switch(i, x):
    return lax.switch(i, [jnp.sin, jnp.cos, lambda v: v * 2], x)


def moe(x, router, experts):
    weights, chosen = jax.nn.softmax(x @ router), jnp.argmax(x @ router, -1)
    picked = experts[chosen]
    return jnp.einsum("tk,tkn->tn", x, picked) * weights.max(-1, keepdims=True)


def quantise(w):
    scale = jnp.abs(w).max(-1, keepdims=True) / 127
    q = jnp.clip(jnp.round(w / scale), -127, 127).astype(jnp.int8)
    return q, scale, q.astype(jnp.float32) * scale


def window_sum(x, low, high, stride=1):
    return lax.reduce_window(x, 0.0, lax.add, (1, 3), (1, stride),
                             ((0, 0), (low, high)))


def gather_mode(mode):
    return lambda x, i: x.at[i].get(mode=mode, fill_value=-1)


def scatter_mode(mode, how="add"):
    return lambda x, i, u: getattr(x.at[i], how)(u, mode=mode)


# name: function, then its arguments
CASES = {
    "abs": (jnp.abs, X), "negate_int": (jnp.negative, I),
    "ceil": (jnp.ceil, EDGES), "floor": (jnp.floor, EDGES),
    "round_even": (jnp.round, EDGES), "sign": (jnp.sign, EDGES),
    "is_finite": (jnp.isfinite, EDGES), "is_nan": (jnp.isnan, EDGES),
    "exp": (jnp.exp, X), "expm1": (jnp.expm1, X), "log": (jnp.log, POSITIVE),
    "log1p": (jnp.log1p, POSITIVE), "sqrt": (jnp.sqrt, POSITIVE),
    "rsqrt": (lax.rsqrt, POSITIVE), "cbrt": (jnp.cbrt, X),
    "sin": (jnp.sin, X), "cos": (jnp.cos, X), "tan": (jnp.tan, X),
    "tanh": (jnp.tanh, X), "logistic": (jax.nn.sigmoid, X),
    "erf": (lax.erf, X), "atan2": (jnp.arctan2, X, Y),
    "power": (jnp.power, POSITIVE, Y), "int_power": (lambda x: x**5, I),
    "add": (jnp.add, X, Y), "subtract": (jnp.subtract, X, Y),
    "multiply": (jnp.multiply, I, J), "divide": (jnp.divide, X, Y),
    "int_divide": (lax.div, I, J), "floor_divide": (jnp.floor_divide, I, J),
    "remainder": (lax.rem, X, Y), "int_modulo": (jnp.mod, I, J),
    "maximum": (jnp.maximum, EDGES, EDGES[::-1].copy()),
    "minimum": (jnp.minimum, EDGES, EDGES[::-1].copy()),
    "and": (jnp.bitwise_and, I, J), "or": (jnp.bitwise_or, I, J),
    "xor": (jnp.bitwise_xor, I, J), "not": (jnp.bitwise_not, I),
    "logical": (lambda a, b: (a & b) | ~a, P, ~P),
    "shift_left": (jnp.left_shift, I, J),
    "shift_right": (jnp.right_shift, I, J),
    "shift_right_unsigned": (jnp.right_shift, U, U),
    "population_count": (lax.population_count, U),
    "leading_zeros": (lax.clz, U),
    "compare": (lambda a, b: (a < b, a == b, a >= b, a != b), X, Y),
    "compare_nan": (lambda a: (a < 1, a == a, a > 1), EDGES),
    "select": (jnp.where, P, X, Y), "clamp": (lambda x: jnp.clip(x, -1, 1), X),
    "convert_saturates_s8": (lambda x: x.astype(jnp.int8), LARGE),
    "convert_saturates_u8": (lambda x: x.astype(jnp.uint8), LARGE),
    "convert_saturates_s32": (lambda x: x.astype(jnp.int32), LARGE),
    "convert_bf16": (lambda x: x.astype(jnp.bfloat16), LARGE),
    "convert_f16": (lambda x: x.astype(jnp.float16), LARGE),
    "convert_pred": (lambda x: x.astype(bool).astype(jnp.int32), EDGES),
    "convert_wraps": (lambda x: x.astype(jnp.int8), integers(6, low=-999,
                                                             high=999)),
    "bitcast": (lambda x: lax.bitcast_convert_type(x, jnp.int32), EDGES),
    "broadcast": (lambda x: jnp.broadcast_to(x, (2, 3, 4)), X),
    "reshape": (lambda x: x.reshape(2, 6), X),
    "transpose": (lambda x: x.T, X), "reverse": (lambda x: x[::-1, ::-1], X),
    "concatenate": (lambda x, y: jnp.concatenate([x, y], 1), X, Y),
    "stack": (lambda x, y: jnp.stack([x, y]), X, Y),
    "pad": (lambda x: lax.pad(x, 1.5, ((1, 0, 1), (-1, 2, 0))), X),
    "slice": (lambda x: x[1:, ::2], X), "iota": (lambda: jnp.arange(6) * 2,),
    "one_hot": (lambda i: jax.nn.one_hot(i, 9), IDS),
    "dynamic_slice_low": (lambda x, i: lax.dynamic_slice(x, (i, i), (2, 2)), X,
                          np.int32(-5)),
    "dynamic_slice_high": (lambda x, i: lax.dynamic_slice(x, (i, i), (2, 2)), X,
                           np.int32(50)),
    "dynamic_update_low": (
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), X,
        floats(2, 2), np.int32(-3)),
    "dynamic_update_high": (
        lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), X,
        floats(2, 2), np.int32(9)),
    "dynamic_index": (lambda x, i: x[i], X, np.int32(2)),
    "gather_clip": (gather_mode("clip"), floats(7, 3), IDS),
    "gather_fill": (gather_mode("fill"), floats(7, 3), IDS),
    "gather_wrap": (lambda x, i: x[i], floats(7, 3), IDS),
    "gather_two": (lambda x, i, j: x[i, j], X, np.array([0, 2]),
                   np.array([3, 1])),
    "take_along": (lambda x, i: jnp.take_along_axis(x, i, 1), X,
                   integers(3, 2, low=0, high=3)),
    "scatter_add_drop": (scatter_mode("drop"), floats(7, 3), IDS, floats(6, 3)),
    "scatter_add_clip": (scatter_mode("clip"), floats(7, 3), IDS, floats(6, 3)),
    "scatter_set_drop": (write_cache, floats(7, 3), floats(3, 3),
                         np.array([5, 1, 7])),
    "scatter_max": (scatter_mode("drop", "max"), floats(7), IDS, floats(6)),
    "scatter_mul": (scatter_mode("drop", "multiply"), floats(7), IDS,
                    floats(6)),
    "sum": (lambda x: x.sum(1), X), "sum_all": (jnp.sum, X),
    "prod": (lambda x: x.prod(0), X), "max": (lambda x: x.max(0), X),
    "min_int": (lambda x: x.min(1), I), "mean": (jnp.mean, X),
    "variance": (lambda x: x.var(0), X), "any": (lambda p: p.any(0), P),
    "all": (lambda p: p.all(1), P), "argmax": (lambda x: x.argmax(1), X),
    "argmin": (lambda x: x.argmin(0), X),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, -1), X),
    "sum_bf16": (lambda x: x.astype(jnp.float32).sum(1), halves(3, 4)),
    "cumsum": (lambda x: jnp.cumsum(x, 1), X), "cumprod": (jnp.cumprod, V),
    "cummax": (lambda x: lax.cummax(x, 1), X),
    "window_sum": (lambda x: window_sum(x, 0, 0), X),
    "window_padded": (lambda x: window_sum(x, 2, 1, 2), X),
    "window_max": (lambda x: lax.reduce_window(
        x, -jnp.inf, lax.max, (2, 2), (1, 2), "SAME"), X),
    "sort": (jnp.sort, V), "sort_edges": (jnp.sort, EDGES),
    "sort_rows": (lambda x: jnp.sort(x, 0), X),
    "sort_int": (lambda x: jnp.sort(x, 1), I), "argsort": (jnp.argsort, V),
    "sort_descending": (lambda x: jnp.sort(x, descending=True), V),
    "sort_pairs": (lambda k, v: lax.sort((k, v), num_keys=1), V, IDS[[0] * 7]),
    "dot": (jnp.dot, X, W), "dot_transposed": (lambda x, y: x @ y.T, X, Y),
    "dot_bf16": (lambda x, w: jnp.dot(x, w, preferred_element_type=jnp.float32),
                 halves(3, 4), halves(4, 5)),
    "dot_int8": (lambda x, w: jnp.dot(x, w, preferred_element_type=jnp.int32),
                 integers(3, 4, type=np.int8), integers(4, 5, type=np.int8)),
    "batched_dot": (lambda x, y: jnp.einsum("bij,bkj->bik", x, y),
                    floats(2, 3, 4), floats(2, 5, 4)),
    "outer": (jnp.outer, V, V), "softmax": (jax.nn.softmax, X),
    "log_softmax": (jax.nn.log_softmax, X), "gelu_tanh": (jax.nn.gelu, X),
    "gelu_erf": (lambda x: jax.nn.gelu(x, approximate=False), X),
    "silu": (jax.nn.silu, X), "relu": (jax.nn.relu, X),
    "softplus": (jax.nn.softplus, X),
    "rms_norm": (rms_norm, X, floats(4)),
    "layer_norm": (layer_norm, X, floats(4), floats(4)),
    "rotary": (rotary, floats(5, 8), np.arange(5.0, dtype=np.float32)),
    "attention": (attention, floats(4, 2, 3), floats(4, 2, 3), floats(4, 2, 3)),
    "swiglu": (swiglu, X, floats(4, 6), floats(4, 6), floats(6, 4)),
    "embedding": (lambda t, i: t[i], floats(9, 4), integers(5, low=0)),
    "moe": (moe, X, floats(4, 3), floats(3, 4, 5)), "quantise": (quantise, X),
    "top_p_mask": (top_p_mask, V),
    "cond": (lambda p, x: lax.cond(p, jnp.sin, jnp.cos, x), np.bool_(True), X),
    "switch_low": (switch, np.int32(-1), X),
    "switch_high": (switch, np.int32(7), X),
    "while_loop": (collatz, np.int32(27)),
    "fori_loop": (lambda x: lax.fori_loop(0, 5, lambda i, v: v * 1.5 + i, x), X),
    "scan": (scan_sum, X),
    "greedy": (lambda h, w: jnp.argmax(h @ w, -1).astype(jnp.int32), X, W),
    "vmap_gather": (jax.vmap(lambda x, i: x[i]), X,
                    integers(3, low=0, high=3)),
    "grad": (jax.grad(lambda x: jnp.tanh(x).sum()), X),
    "threefry": (lambda k: jax.random.uniform(
        jax.random.wrap_key_data(k), (4,)), np.array([1, 2], np.uint32)),
}


def write(directory, name, function, arguments, values):
    arguments = [jnp.asarray(a) for a in arguments]
    jitted = jax.jit(function, keep_unused=True)
    text = jitted.lower(*arguments).as_text(dialect="hlo")
    (directory / f"{name}.hlo").write_text(text)
    module = _hlo.hlo_module_from_text(text)
    (directory / f"{name}.hlo.pb").write_bytes(
        module.as_serialized_hlo_module_proto())
    for kind, arrays in (("in", arguments),
                         ("out", jax.tree.leaves(jitted(*arguments)))):
        for i, array in enumerate(arrays):
            values[f"{name}/{kind}/{i}"] = np.asarray(array)


def main(directory):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    values = {}
    for name, (function, *arguments) in CASES.items():
        write(directory, name, function, arguments, values)
    save_file(values, directory / "values.safetensors")
    print(f"wrote {len(CASES)} modules")


if __name__ == "__main__":
    main(sys.argv[1])
