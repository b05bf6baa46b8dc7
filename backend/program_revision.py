"""The revision of this program, for documents that only the same program may read again."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final

COMPUTING: Final = ("numpy", "scipy", "pydantic")
"""The packages whose version may change a result."""


@cache
def program_revision() -> str:
    """A hash of the program's Python files, and of the packages that compute: read once per process."""
    found = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        found.update(f"{path.relative_to(root)}\n".encode() + path.read_bytes())
    found.update(" ".join(f"{name} {version(name)}" for name in COMPUTING).encode())
    return found.hexdigest()[:16]
