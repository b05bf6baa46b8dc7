"""The folders of one installation."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.starter.log_file import LIMIT, rotate
from scripts.starter.private import tighten
from scripts.starter.reach import LOOPBACK, Reach
from scripts.starter.terminal import Refusal

# Unix socket paths end at 107 bytes; sockets live in a short directory outside the repository.
RUNTIME_PARENT = Path("/run")
# Fixed folders of containerd, dockerd and `ip netns`, whatever their configuration.
TRACES = tuple(
    RUNTIME_PARENT / name for name in ("containerd", "containerd/s", "docker", "docker/plugins", "netns")
)


@dataclass(frozen=True)
class Layout:
    """The paths of one installation; `install_id` is six hexadecimal digits."""

    root: Path
    var: Path
    runtime: Path
    install_id: str
    port: int
    reach: Reach = LOOPBACK

    @property
    def logs(self) -> Path:
        """The folder of the services' log files."""
        return self.var / "log"

    @property
    def url(self) -> str:
        """The page and its API, for programs of this host."""
        return replace(self.reach, port=self.port).local_url

    @property
    def postgres_socket(self) -> Path:
        """The directory of PostgreSQL's socket."""
        return self.runtime / "postgres"

    @property
    def redis_socket(self) -> Path:
        """Redis's socket."""
        return self.runtime / "redis" / "redis.sock"

    @property
    def absent_note(self) -> Path:
        """The list of directories outside this layout that did not exist before the start."""
        return self.var / "absent-before"

    @property
    def tls_pair(self) -> Path:
        """The file with certificate and key that the API reads."""
        return self.runtime / "tls" / "server.pem"

    @property
    def tls_pins(self) -> Path:
        """The file with the certificates of this start; it does not exist without TLS."""
        return self.runtime / "tls" / "certificates.pem"

    @property
    def code(self) -> Path:
        """Where the API sees the repository's folders; empty for every other process."""
        return self.runtime / "code"

    @property
    def secrets(self) -> Path:
        """The folder of the passwords of database and Redis."""
        return self.var / "secrets"


def install_id(var: Path) -> str:
    """The installation's id, created once and stored in `var`/install-id."""
    path = var / "install-id"
    known = path.read_text().strip() if path.exists() else ""
    if re.fullmatch(r"[0-9a-f]{6}", known):
        return known
    made = secrets.token_hex(3)
    path.touch(mode=0o600)
    path.write_text(f"{made}\n")
    return made


def prepare(root: Path, var: Path, reach: Reach) -> Layout:
    """Create the directories of this installation; existing ones stay, and are closed to other users."""
    var.mkdir(mode=0o700, parents=True, exist_ok=True)
    tighten(var)
    identity = install_id(var)
    layout = Layout(root, var, RUNTIME_PARENT / f"plimsoll-{identity}", identity, reach.port, reach)
    layout.logs.mkdir(mode=0o700, exist_ok=True)
    for log in layout.logs.glob("*.log"):
        if log.stat().st_size > LIMIT:
            rotate(log)
    layout.runtime.mkdir(mode=0o711, exist_ok=True)
    layout.runtime.chmod(0o711)
    return layout


def remove_mounts(layout: Layout) -> list[str]:
    """Unmount everything that ended engines left mounted, deepest first; returns the mount points."""
    below = (f"{layout.runtime}/", f"{layout.var}/engines/")
    left = sorted((point for point in mount_points() if point.startswith(below)), key=len, reverse=True)
    for point in left:
        subprocess.run(["umount", "--lazy", point], check=False, capture_output=True)
    return left


def remove_runtime(layout: Layout) -> None:
    """Remove the directory of sockets; the data below var stay. Raises Refusal if it contains a mount."""
    mounted = [point for point in mount_points() if point.startswith(f"{layout.runtime}/")]
    if mounted:
        raise Refusal(f"{layout.runtime} was not removed, because {mounted[0]} is still mounted")
    shutil.rmtree(layout.runtime, ignore_errors=True)


def note_absent(note: Path, traces: tuple[Path, ...] = TRACES) -> None:
    """Write down which of the directories that engines create outside this layout do not exist yet.

    The note of a killed start stays unchanged: it describes the host before that start.
    """
    if not note.exists():
        note.write_text("".join(f"{path}\n" for path in traces if not path.exists()))


def remove_noted(note: Path) -> None:
    """Remove the noted directories, innermost first, where they are empty; then the note."""
    absent = [Path(line) for line in note.read_text().splitlines()] if note.exists() else []
    for path in sorted(absent, key=lambda path: len(path.parts), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            if str(path) in mount_points():
                subprocess.run(["umount", str(path)], check=False, capture_output=True)
            with contextlib.suppress(OSError):
                path.rmdir()
    note.unlink(missing_ok=True)


def mount_points() -> list[str]:
    """Every mount point that this process sees."""
    return [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
