"""Read an image archive without an engine: one file of it, or the whole root file system.

The archive is in the format of `docker save`: manifest.json names the layers, each an archive of its own,
lowest first. An entry `.wh.NAME` in a layer deletes NAME of the layers below, and `.wh..wh..opq` deletes
everything of them in its directory (OCI image layer specification, "Whiteouts"). Extended attributes are
ignored: no file of our image has any.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from backend.core.errors import EngineUnavailable

WHITEOUT = ".wh."
OPAQUE = ".wh..wh..opq"


def extract(archive: Path, inner_path: str, destination: Path) -> None:
    """Extract a regular file of the image with its mode, whole or not at all.

    Raises EngineUnavailable where the image has no such file.
    """
    name = inner_path.strip("/")
    with tarfile.open(archive) as image:
        for layer_name in reversed(_layer_names(image)):
            with _layer(image, layer_name) as layer:
                entries = {_plain(member.name): member for member in layer}
                if (member := entries.get(name)) is not None:
                    _copy(layer, member, destination)
                    return
                if _hides(entries, PurePosixPath(name)):
                    break
    raise EngineUnavailable(f"the image archive {archive.name} has no file {inner_path}")


def unpack(archive: Path, folder: Path) -> None:
    """Unpack the image's root file system to `folder`, whole or not at all; an existing folder is kept.

    Owners and device nodes need root. Raises EngineUnavailable for an entry outside the folder.
    """
    if folder.exists():
        return
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True, mode=0o755)
    with tarfile.open(archive) as image:
        for layer_name in _layer_names(image):
            with _layer(image, layer_name) as layer:
                _apply(layer, partial)
    partial.rename(folder)


def _layer_names(image: tarfile.TarFile) -> list[str]:
    [described] = json.load(_content(image, "manifest.json"))
    return [str(name) for name in described["Layers"]]


@contextmanager
def _layer(image: tarfile.TarFile, name: str) -> Iterator[tarfile.TarFile]:
    with tarfile.open(fileobj=_content(image, name)) as layer:
        # Our own build's layers: since Python 3.14 the default refuses device nodes and absolute links.
        layer.extraction_filter = lambda member, _: member
        yield layer


def _content(image: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        found = image.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise EngineUnavailable(f"not an image archive: it has no file {name}")
    return found


def _plain(name: str) -> str:
    return name.removeprefix("./").strip("/")


def _hides(entries: dict[str, tarfile.TarInfo], path: PurePosixPath) -> bool:
    """Whether a layer deletes this path, or a directory above it, of the layers below."""
    return any(
        str(one.with_name(WHITEOUT + one.name)) in entries or str(one.parent / OPAQUE) in entries
        for one in (path, *path.parents)
        if one.name
    )


def _copy(layer: tarfile.TarFile, member: tarfile.TarInfo, destination: Path) -> None:
    source = layer.extractfile(member) if member.isreg() else None
    if source is None:
        raise EngineUnavailable(f"{member.name} in the image is not a regular file")
    partial = destination.with_name(f"{destination.name}.partial")
    with partial.open("wb") as copy:
        shutil.copyfileobj(source, copy)
    partial.chmod(member.mode)
    partial.rename(destination)


def _apply(layer: tarfile.TarFile, root: Path) -> None:
    """Apply one layer: first its deletions, which concern only the layers below."""
    members = list(layer)
    for member in members:
        path = PurePosixPath(member.name)
        if path.name == OPAQUE:
            for child in list(_target(root, str(path.parent)).glob("*")):
                _delete(child)
        elif path.name.startswith(WHITEOUT):
            _delete(_target(root, str(path.with_name(path.name.removeprefix(WHITEOUT)))))
    for member in members:
        if not PurePosixPath(member.name).name.startswith(WHITEOUT):
            _extract_member(layer, member, root)


def _extract_member(layer: tarfile.TarFile, member: tarfile.TarInfo, root: Path) -> None:
    target = _target(root, member.name)
    if member.islnk():
        _target(root, member.linkname)
    # Overwriting would also change the file's other hard links, or the target of a symbolic link.
    if not (member.isdir() and target.is_dir() and not target.is_symlink()):
        _delete(target)
    layer.extract(member, root, numeric_owner=True)


def _target(root: Path, name: str) -> Path:
    """The path of an entry. Raises EngineUnavailable where it is not below the root."""
    plain = PurePosixPath(_plain(name))
    target = root / plain
    if plain.is_absolute() or ".." in plain.parts or (plain.name and not _stays_in(root, target.parent)):
        raise EngineUnavailable(f"the image has an entry outside of its root: {name}")
    return target


def _stays_in(root: Path, folder: Path) -> bool:
    return folder.resolve().is_relative_to(root.resolve())


def _delete(target: Path) -> None:
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    else:
        target.unlink(missing_ok=True)
