"""Hashes of passwords: Argon2id by argon2-cffi.

19 MiB, two passes, one lane: the first choice of OWASP's Password Storage Cheat Sheet for Argon2id. A hash
costs 32 ms of one core. The profile of RFC 9106 (64 MiB, three passes) costs 200 ms: too much beside
measurements on the same host, and with its four lanes on all cores.
"""

from __future__ import annotations

import logging
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

logger = logging.getLogger(__name__)

AT_ONCE: Final = 1
QUEUED: Final = 128
MAX_WAIT_S: Final = 10.0
"""Bounds of the API's `password_slots`: one core and 19 MiB at a time, however many sign in."""

HASHER: Final = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
NOBODYS: Final = (
    "$argon2id$v=19$m=19456,t=2,p=1$D8fZTNWFJCPElkJZWM10qw$wcPqJciCLp4ykWhKA6TqjgR9ZLVeGz/eGbwrKR+yQHc"
)
"""The hash of a random text that nobody has: an account without a password costs the same work."""


def hashed(password: str) -> str:
    """What is stored of a password: parameters, salt and hash."""
    return HASHER.hash(password)


def matches(stored: str | None, password: str) -> bool:
    """Whether a password is the stored one; the same work where none is stored."""
    try:
        HASHER.verify(NOBODYS if stored is None else stored, password)
    except VerifyMismatchError:
        return False
    except InvalidHashError:
        logger.error("a stored password hash is damaged: its account needs a new password")
        return False
    return stored is not None


def is_outdated(stored: str) -> bool:
    """Whether a hash was made with other parameters than today's."""
    return HASHER.check_needs_rehash(stored)
