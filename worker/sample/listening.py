"""Whether a server listens, read from the kernel's tables without a process in its container."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from worker.sample.counters import read_text

LISTEN: Final = "0A"
"""TCP_LISTEN in /proc/net/tcp (include/net/tcp_states.h)."""
_TABLES: Final = ("tcp", "tcp6")


def listens(pid: int, port: int, socket_file: Path | None) -> bool:
    """Whether a TCP socket of the process's network namespace listens on the port.

    With `socket_file`, a path in the process's own root: whether that Unix socket exists. False where the
    process has ended.
    """
    if socket_file is not None:
        return Path(f"/proc/{pid}/root{socket_file}").exists()
    return any(
        port in listening_ports(read_text(Path(f"/proc/{pid}/net/{table}")) or "") for table in _TABLES
    )


def listening_ports(table: str) -> frozenset[int]:
    """The local ports of the listening sockets in the text of /proc/net/tcp or tcp6."""
    found = set()
    for line in table.splitlines()[1:]:
        fields = line.split()
        if len(fields) > 3 and fields[3] == LISTEN:
            found.add(int(fields[1].rpartition(":")[2], 16))
    return frozenset(found)
