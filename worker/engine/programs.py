"""The programs of Docker Engine and the host that lab engines need."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from backend.core.errors import EngineUnavailable
from worker.host.capabilities import unusable_program

PROGRAMS = ("dockerd", "containerd", "containerd-shim-runc-v2", "runc", "docker-proxy", "iptables", "nsenter")


def check_program(program: Path) -> None:
    """Raise EngineUnavailable where dockerd could not start this program for a published port."""
    if reason := unusable_program(program):
        raise EngineUnavailable(f"the proxy program {program.name} {reason}")


def missing_program() -> str | None:
    """The first program that is missing for a lab engine; None where all are installed."""
    return next((program for program in PROGRAMS if _find(program) is None), None)


def docker_proxy_digest() -> str:
    """SHA-256 of the docker-proxy binary: it has a version flag only since 23, and builds differ."""
    file = _find("docker-proxy")
    return "unknown" if file is None else hashlib.sha256(file.read_bytes()).hexdigest()


def _find(program: str) -> Path | None:
    found = shutil.which(program)
    local_target = Path("/usr/libexec/docker", program)
    return Path(found) if found else local_target if local_target.exists() else None
