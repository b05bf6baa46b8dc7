"""The file system of a program outside Docker: the image read-only, and its writable directories.

Everything is mounted in a mount namespace of the process, which ends with it.
"""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from worker.engine.protocol import USER, ContainerSpec

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TEMPORARY = f"rw,nosuid,nodev,noexec,uid={USER},gid={USER},mode=1777,size={64 * 1024 * 1024}"
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")


def mounts(rootfs: Path, folder: Path, spec: ContainerSpec) -> list[str]:
    """Shell lines that mount a program's file system in its own mount namespace.

    `folder` holds the host's directories for it; they and the mount points are created now.
    """
    dev = rootfs / "dev"
    lines = [
        _command("mount", "--bind", rootfs, rootfs),
        _command("mount", "-t", "proc", "-o", "nosuid,nodev,noexec", "proc", _point(rootfs, "proc")),
        _command("mount", "-t", "tmpfs", "-o", "nosuid,mode=755,size=64k", "tmpfs", _point(rootfs, "dev")),
    ]
    for device in DEVICES:
        lines += [
            f": > {_quoted(dev / device)}",
            _command("mount", "--bind", f"/dev/{device}", dev / device),
        ]
    for link, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
        lines.append(_command("ln", "-s", f"/proc/self/{target}", dev / link))
    tmpfs = {"/tmp": TEMPORARY, **spec.tmpfs}
    tmpfs["/dev/shm"] = f"rw,nosuid,nodev,noexec,mode=1777,size={spec.shm_bytes}"
    lines.append(_command("mkdir", dev / "shm"))
    plain = _plain_directories(rootfs, folder, spec)
    for target, options in tmpfs.items():
        if target not in plain:
            point = dev / "shm" if target == "/dev/shm" else _point(rootfs, target)
            lines.append(_command("mount", "-t", "tmpfs", "-o", options, "tmpfs", point))
    lines += [_command("mount", "--bind", source, _point(rootfs, target)) for target, source in plain.items()]
    # Last, because the mount points above are made while it is still writable.
    return [*lines, _command("mount", "-o", "remount,bind,ro", rootfs)]


def _plain_directories(rootfs: Path, folder: Path, spec: ContainerSpec) -> dict[str, Path]:
    """The host's directories in place of volumes and of the container's writable layer, by target."""
    found = {target: folder / "volumes" / volume for target, volume in spec.volumes.items()}
    if spec.writable_root:
        for entry in sorted(rootfs.iterdir()):
            target = f"/{entry.name}"
            if entry.is_dir() and entry.stat().st_uid == USER and target not in {*found, *spec.tmpfs}:
                found[target] = folder / "layers" / spec.name / entry.name
    for directory in found.values():
        directory.mkdir(parents=True, exist_ok=True)
        os.chown(directory, USER, USER)
        directory.chmod(0o700)
    return found


def _point(rootfs: Path, target: str) -> Path:
    """A mount point in the image, created where it is missing."""
    point = rootfs / target.lstrip("/")
    point.mkdir(parents=True, exist_ok=True)
    return point


def _quoted(argument: object) -> str:
    return shlex.quote(str(argument))


def _command(*argv: object) -> str:
    program, *rest = argv
    return " ".join(map(_quoted, (tool(str(program)), *rest)))


def tool(name: str) -> str:
    """The path of a program of the host; the process's own PATH is that of the image."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{PATH}") or name
