"""The container of a worker of another server: the `docker run` that starts it.

It gets from the host what the service `worker` of compose.yaml gets.
"""

from __future__ import annotations

import shlex
from typing import Final

NAME: Final = "plimsoll-worker"
"""The container, and the volume with its data."""
IMAGE: Final = "plimsoll"
"""No registry has it: `docker compose build` makes it."""
CAPABILITIES: Final = ("SYS_ADMIN", "NET_ADMIN", "SYS_PTRACE", "SYS_MODULE", "DAC_READ_SEARCH")
UNCONFINED: Final = (
    *("seccomp=unconfined", "apparmor=unconfined", "label=disable", "systempaths=unconfined"),
)
RUN: Final = (
    *("docker", "run", "--detach", "--name", NAME, "--restart", "unless-stopped", "--stop-timeout", "60"),
    *("--network", "host", "--pid", "host", "--cgroupns", "host", "--tmpfs", "/run"),
    *("--env", "PLIMSOLL_TIME_FACTOR"),  # without a value: that of the shell, and unset where it has none
    *(word for capability in CAPABILITIES for word in ("--cap-add", capability)),
    *(word for option in UNCONFINED for word in ("--security-opt", option)),
    *("--volume", f"{NAME}:/var/lib/plimsoll", "--volume", "/sys/fs/cgroup:/sys/fs/cgroup"),
    *(IMAGE, "plimsoll", "join"),
)


def run_command(*arguments: str) -> str:
    """The shell command that starts it with these arguments of `plimsoll join`; a joined host needs none."""
    return shlex.join((*RUN, *arguments))


def restart_command() -> str:
    """The shell command that starts it from the image that the host has now; the host stays enrolled."""
    return f"docker stop {NAME} && docker rm {NAME} && {run_command()}"
