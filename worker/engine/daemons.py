"""The daemons of a lab engine: containerd's configuration, and their end."""

from __future__ import annotations

import json
import signal
import subprocess
from typing import Final

from worker.engine.names import EngineNames
from worker.host.time_limits import limit

STOP_LIMIT_S: Final = 25.0


def containerd_config(names: EngineNames) -> str:
    """containerd.toml of an engine: folders and socket of its own, without the CRI."""
    quoted = {
        key: json.dumps(str(value))
        for key, value in {
            "root": names.data / "containerd",
            "state": names.runtime / "containerd",
            "socket": names.containerd_socket,
            "opt": names.data / "opt",
        }.items()
    }
    return (
        "version = 2\n"
        f"root = {quoted['root']}\n"
        f"state = {quoted['state']}\n"
        'disabled_plugins = ["io.containerd.grpc.v1.cri"]\n'
        f"[grpc]\n  address = {quoted['socket']}\n"
        f'[plugins."io.containerd.internal.v1.opt"]\n  path = {quoted["opt"]}\n'
    )


def end_process(process: subprocess.Popen[bytes]) -> None:
    """SIGTERM, then SIGKILL after the limit; waits until the process is gone."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(limit(STOP_LIMIT_S))
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()
