"""The file of a backup: a tar archive of a manifest and the database's dump, readable by its owner alone."""

from __future__ import annotations

import hashlib
import io
import os
import tarfile
from datetime import datetime
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backend.store.backup.programs import BackupFailed

MANIFEST: Final = "manifest.json"
DUMP: Final = "database.dump"
MAX_MANIFEST: Final = 1 << 20
CHUNK: Final = 1 << 20


class Manifest(BaseModel):
    """What a backup contains. `rows` counts each table in the dump's own snapshot; sizes are in bytes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal[1] = 1
    program: str
    revision: str
    created_at: datetime
    public_url: str
    rows: dict[str, int]
    dump_bytes: int = Field(ge=0)
    dump_sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


def sha256_of(path: Path) -> str:
    """The digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(path: Path, manifest: Manifest, dump: Path) -> None:
    """Write the archive, whole or not at all. Raises BackupFailed where the file exists."""
    partial = path.with_name(f".{path.name}.partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
                text = manifest.model_dump_json(indent=2).encode()
                archive.addfile(_member(MANIFEST, len(text)), io.BytesIO(text))
                with dump.open("rb") as content:
                    archive.addfile(_member(DUMP, manifest.dump_bytes), content)
            file.flush()
            os.fsync(file.fileno())
        os.link(partial, path)  # fails where a file of that name was made meanwhile
    except FileExistsError:
        raise BackupFailed(f"{path} exists; a backup never overwrites a file") from None
    finally:
        partial.unlink(missing_ok=True)


def _member(name: str, size: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    return member


def read(path: Path, dump: Path) -> Manifest:
    """The manifest; the dump is written to `dump`. Raises BackupFailed for a damaged or foreign file."""
    try:
        with tarfile.open(path, mode="r:") as archive:
            members = {member.name: member for member in archive.getmembers() if member.isreg()}
            if set(members) != {MANIFEST, DUMP} or members[MANIFEST].size > MAX_MANIFEST:
                raise BackupFailed(f"{path} is not a backup of Plimsoll")
            manifest = Manifest.model_validate_json(_content(archive, members[MANIFEST]).read())
            _copy(_content(archive, members[DUMP]), dump)
    except (tarfile.TarError, EOFError) as error:
        raise BackupFailed(f"{path} is damaged or not a backup: {error}") from error
    except ValidationError as error:
        field = ".".join(map(str, error.errors()[0]["loc"])) or "manifest"
        raise BackupFailed(f"{path} was made by another version of Plimsoll: {field}") from error
    if (dump.stat().st_size, sha256_of(dump)) != (manifest.dump_bytes, manifest.dump_sha256):
        raise BackupFailed(f"{path} is damaged: the dump does not have the checksum of its manifest")
    return manifest


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> io.BufferedReader:
    content = archive.extractfile(member)
    assert isinstance(content, io.BufferedReader)
    return content


def _copy(content: io.BufferedReader, target: Path) -> None:
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while chunk := content.read(CHUNK):
            file.write(chunk)
