"""Compiles HloModuleProtos with XLA:CPU and runs them."""

import os
import re

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=4")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jaxlib.xla_client as xla
import numpy as np
from jaxlib import _hlo, _jax

jax.config.update("jax_enable_x64", True)


def load(proto: bytes):
    """XLA's own module; raises what XLA has against the bytes."""
    return _hlo.HloModule.from_serialized_hlo_module_proto(proto)


def as_replicas(module) -> bytes:
    """The proto of a module whose partitions are replicas instead.

    XLA compiles several partitions only by partitioning a whole program itself,
    and ours is partitioned already. Groups of an all-reduce and its like hold
    device numbers either way; what counts partitions must count replicas.
    """
    options = _hlo.HloPrintOptions()
    options.print_large_constants = True
    text = module.to_string(options).replace("partition-id()", "replica-id()")
    text = re.sub(r"(all-to-all\(.*), channel_id=\d+", r"\1", text)
    return _hlo.hlo_module_from_text(text).as_serialized_hlo_module_proto()


class Program:
    """A module compiled for `ranks` devices, each of which is one partition."""

    def __init__(self, proto: bytes, ranks: int = 1):
        module = load(proto)
        if ranks > 1:
            proto = as_replicas(module)
        self.ranks = ranks
        self.devices = jax.devices()[:ranks]
        options = xla.CompileOptions()
        options.num_replicas = ranks
        options.device_assignment = xla.DeviceAssignment.create(
            np.arange(ranks).reshape(ranks, 1))
        self.executable = self.devices[0].client.compile_and_load(
            _jax.mlir.hlo_to_stablehlo(proto),
            _jax.DeviceList(tuple(self.devices)), options)

    def run(self, arguments):
        """`arguments[rank]` are numpy arrays; so are the results."""
        columns = []
        for values in zip(*arguments):
            shards = [jax.device_put(v, d)
                      for v, d in zip(values, self.devices)]
            columns.append(_joined(shards, self.devices))
        results = self.executable.execute_sharded(columns)
        arrays = results.disassemble_into_single_device_arrays()
        return [[np.asarray(a[rank]) for a in arrays]
                for rank in range(self.ranks)]


def _joined(shards, devices):
    """One array whose parts along a new dimension are the shards."""
    if len(shards) == 1:
        return shards[0]
    mesh = jax.sharding.Mesh(np.array(devices), ("rank",))
    shape = shards[0].shape
    if not shape:
        sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
        return jax.make_array_from_single_device_arrays((), sharding, shards)
    sharding = jax.sharding.NamedSharding(mesh,
                                          jax.sharding.PartitionSpec("rank"))
    whole = (shape[0] * len(shards),) + shape[1:]
    return jax.make_array_from_single_device_arrays(whole, sharding, shards)
