"""Names that no host may have, because /hosts has something else there."""

from __future__ import annotations

from typing import Final

RESERVED: Final = frozenset({"enrolments"})


def free_host_name(name: str) -> str:
    """The name, if a host may have it. Raises ValueError."""
    if name.lower() in RESERVED:
        raise ValueError(
            f"no host may have the name {name}: /hosts/{name.lower()} is another page; choose another name"
        )
    return name
