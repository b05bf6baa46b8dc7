"""What a program outside Docker sees of the file system: the image read-only, and what it may write.

Everything is mounted in a namespace of the process's own and vanishes with it.
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
    """Shell lines that make a program's view of the file system, in its own mount namespace.

    `folder` is where the host's plain directories for it are; they and the mount points are made now.
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
    lines += [_command("mount", "--bind", place, _point(rootfs, target)) for target, place in plain.items()]
    # Last, because the mount points above are made while it is still writable.
    return [*lines, _command("mount", "-o", "remount,bind,ro", rootfs)]


def _plain_directories(rootfs: Path, folder: Path, spec: ContainerSpec) -> dict[str, Path]:
    """The host's directories that stand for volumes and for the container's layer."""
    found = {target: folder / "volumes" / volume for target, volume in spec.volumes.items()}
    if spec.writable_root:
        for place in sorted(rootfs.iterdir()):
            target = f"/{place.name}"
            if place.is_dir() and place.stat().st_uid == USER and target not in {*found, *spec.tmpfs}:
                found[target] = folder / "layers" / spec.name / place.name
    for place in found.values():
        place.mkdir(parents=True, exist_ok=True)
        os.chown(place, USER, USER)
        place.chmod(0o700)
    return found


def _point(rootfs: Path, target: str) -> Path:
    """A mount point in the image, made where the image has none."""
    point = rootfs / target.lstrip("/")
    point.mkdir(parents=True, exist_ok=True)
    return point


def _quoted(word: object) -> str:
    return shlex.quote(str(word))


def _command(*words: object) -> str:
    program, *rest = words
    return " ".join(map(_quoted, (tool(str(program)), *rest)))


def tool(name: str) -> str:
    """The host's own program: PATH is the image's."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:{PATH}") or name
