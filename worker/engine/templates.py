"""The containers of a deployment: everything that the worker, and only the worker, decides.

No field of a request reaches these templates. The test of the golden container settings compares what
Docker reports of each with a checked-in file.
"""

from __future__ import annotations

from worker.engine.names import BENCH_NETWORK, SERVER_PORT
from worker.engine.protocol import ContainerSpec
from worker.host.environment import memory_of_host

SERVER = "plimsoll-server"
SIBLING = "plimsoll-client-sibling"
ON_HOST = "plimsoll-client-host"
USER = 10001
MIB = 1024 * 1024
SERVER_SETTINGS = {"shared_buffers": "512MB", "max_connections": "300", "max_wal_size": "4GB"}
BASE_DATA_BYTES = 512 * MIB
BYTES_PER_SCALE = 20 * MIB
"""pgbench's tables take about 15 MiB a scale unit; the rest is room for write-ahead log."""


def max_scale() -> int:
    """The largest scale whose tables fit into half of what the server may use."""
    return max(1, (memory_of_host() // 4 - BASE_DATA_BYTES) // BYTES_PER_SCALE)


def server(image: str) -> ContainerSpec:
    """PostgreSQL with its data in memory, published on the server's port."""
    half = memory_of_host() // 2
    settings = [part for item in SERVER_SETTINGS.items() for part in ("-c", "=".join(item))]
    return ContainerSpec(
        name=SERVER,
        image=image,
        command=("serve-postgres", *settings),
        network=BENCH_NETWORK,
        memory_bytes=half,
        tmpfs={
            "/data": f"rw,nosuid,nodev,noexec,uid={USER},gid={USER},mode=0700,size={half // 2}",
            "/tmp": f"rw,nosuid,nodev,noexec,uid={USER},gid={USER},mode=0700,size={64 * MIB}",
        },
        published={SERVER_PORT: SERVER_PORT},
        shm_bytes=256 * MIB,
    )


def client(image: str, name: str, network: str) -> ContainerSpec:
    """A place for the client: the same image, waiting for commands, in another network namespace."""
    return ContainerSpec(
        name=name, image=image, command=("sleep", "infinity"), network=network, memory_bytes=1024 * MIB
    )
