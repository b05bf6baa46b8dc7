"""The programs of Docker Engine and the host that lab engines need."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from backend.core.errors import EngineUnavailable
from worker.host.capabilities import unusable_program

OF_DOCKER = ("dockerd", "containerd", "containerd-shim-runc-v2", "runc", "docker-proxy")
PROGRAMS = (*OF_DOCKER, "iptables", "nsenter")


def check_program(program: Path) -> None:
    """Raise EngineUnavailable where dockerd could not start this program for a published port."""
    if reason := unusable_program(program):
        raise EngineUnavailable(f"the proxy program {program.name} {reason}")


def missing_program() -> str | None:
    """The first program that is missing for a lab engine; None where all are installed."""
    return next((program for program in PROGRAMS if _find(program) is None), None)


def installed_files() -> tuple[tuple[int, ...] | None, ...]:
    """Which files Docker's programs are now; another value after an upgrade, also of the same version.

    A daemon that runs keeps its own file, and starts shims, runc and docker-proxy from the new ones.
    """
    return tuple(_identity(_find(program)) for program in OF_DOCKER)


def _identity(file: Path | None) -> tuple[int, ...] | None:
    if file is None:
        return None
    try:
        found = file.stat()
    except OSError:  # replaced just now
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def docker_proxy_digest() -> str:
    """SHA-256 of the docker-proxy binary: it has a version flag only since 23, and builds differ."""
    file = _find("docker-proxy")
    return "unknown" if file is None else hashlib.sha256(file.read_bytes()).hexdigest()


def running_program_digest(pid: int) -> str | None:
    """SHA-256 of the program that a process runs, also where its file was replaced; None: it has ended."""
    file = Path(f"/proc/{pid}/exe")
    identity = _identity(file)
    return None if identity is None else _digest(file, identity)


_digests: dict[tuple[int, ...], str] = {}


def _digest(file: Path, identity: tuple[int, ...]) -> str | None:
    if identity not in _digests:
        try:
            _digests[identity] = hashlib.sha256(file.read_bytes()).hexdigest()
        except OSError:
            return None
    return _digests[identity]


def _find(program: str) -> Path | None:
    found = shutil.which(program)
    local_target = Path("/usr/libexec/docker", program)
    return Path(found) if found else local_target if local_target.exists() else None
