"""Public ids: a prefix for the kind of object, and 16 random characters."""

from __future__ import annotations

import re
import secrets
from typing import Final, Literal, get_args

ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32 in lower case: no i, l, o, u."""

Prefix = Literal[
    "exp", "run", "trl", "hst", "shr", "tem", "acc", "ses", "tok", "lnk", "whk", "msg", "dev", "idn",
    "enr", "htk", "grp", "sch", "viw",
]  # fmt: skip

ID_PATTERN: Final = rf"(?:{'|'.join(get_args(Prefix))})_[{ALPHABET}]{{16}}"
_SHAPE = re.compile(ID_PATTERN)


def new_id(prefix: Prefix) -> str:
    """A new id with 80 random bits, for example run_3k9x…."""
    return f"{prefix}_" + "".join(secrets.choice(ALPHABET) for _ in range(16))


def is_id(prefix: Prefix, value: str) -> bool:
    """Whether a text has the format of an id of that kind; others are never used in a query."""
    return value.startswith(f"{prefix}_") and _SHAPE.fullmatch(value) is not None
