"""Random passwords of this installation: made at the first start, readable by root alone."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

BYTES = 32


def secret(folder: Path, name: str) -> str:
    """The secret of this name, made and stored in `folder`/`name` where it is missing."""
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / name
    known = path.read_text(encoding="ascii").strip() if path.exists() else ""
    if known:
        return known
    made = secrets.token_urlsafe(BYTES)
    new = path.with_suffix(".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(f"{made}\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    return made
