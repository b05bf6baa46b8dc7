"""Write an image of one layer as an archive in the format of `docker save`, without an engine."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from backend.core.errors import HostCommandFailed

CHUNK: Final = 1 << 20
ARCHITECTURES: Final = {"x86_64": "amd64", "aarch64": "arm64"}
"""Docker's names of the kernel's machines; others are the same in both."""


def write_image(root: Path, archive: Path, tag: str, config: Mapping[str, Any], machine: str) -> None:
    """Write the folder `root` as the image `tag`, whole or not at all; containers get `config` from it.

    The layer is written once: its size is known only afterwards, so its header is written again then.
    Raises HostCommandFailed, OSError.
    """
    partial = archive.with_suffix(".partial")
    with partial.open("wb") as file:
        digest = _write_layer(root, file)
        described = {
            "architecture": ARCHITECTURES.get(machine, machine),
            "os": "linux",
            "config": dict(config),
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{digest}"]},
            "history": [{"created_by": "mmdebstrap"}],
        }
        text = json.dumps(described, sort_keys=True).encode()
        name = f"{hashlib.sha256(text).hexdigest()}.json"
        _write_file(file, name, text)
        manifest = [{"Config": name, "RepoTags": [tag], "Layers": ["layer.tar"]}]
        _write_file(file, "manifest.json", json.dumps(manifest).encode())
        file.write(bytes(2 * tarfile.BLOCKSIZE))
    partial.rename(archive)


def _write_layer(root: Path, file: IO[bytes]) -> str:
    """Write the layer as the first member; returns its digest."""
    start = file.tell()
    file.write(bytes(tarfile.BLOCKSIZE))
    digest, size = hashlib.sha256(), 0
    argv = ["tar", "--create", "--numeric-owner", "--sort=name", "--directory", str(root), "."]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as packer:
        assert packer.stdout is not None and packer.stderr is not None
        while chunk := packer.stdout.read(CHUNK):
            digest.update(chunk)
            file.write(chunk)
            size += len(chunk)
        said = packer.stderr.read().decode(errors="replace").strip()
    if packer.returncode != 0:
        raise HostCommandFailed(f"tar of the image: {said.splitlines()[-1] if said else packer.returncode}")
    file.write(bytes(-size % tarfile.BLOCKSIZE))
    end = file.tell()
    file.seek(start)
    file.write(_header("layer.tar", size))
    file.seek(end)
    return digest.hexdigest()


def _write_file(file: IO[bytes], name: str, content: bytes) -> None:
    file.write(_header(name, len(content)) + content + bytes(-len(content) % tarfile.BLOCKSIZE))


def _header(name: str, size: int) -> bytes:
    member = tarfile.TarInfo(name)
    member.size = size
    member.mode = 0o600
    return member.tobuf(tarfile.USTAR_FORMAT)
