"""Secrets of sessions, links, tokens and enrolments: 178 to 256 random bits, stored as SHA-256 only.

A token is a prefix for its kind, 30 characters of base 62 and a checksum of six: the layout of GitHub's
tokens (github.blog, 5 April 2021), so that scanners find leaked ones, and a mistyped one is refused without a
query.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib
from typing import Final, Literal

ALPHABET: Final = string.digits + string.ascii_uppercase + string.ascii_lowercase
TokenPrefix = Literal["plm_", "plh_", "ple_"]
PREFIX: Final = "plm_"
"""An API token's."""
HOST: Final = "plh_"
"""The token's of an enrolled host."""
ENROLMENT: Final = "ple_"
"""An enrolment's secret."""
RANDOM: Final = 30
CHECKSUM: Final = 6
SHOWN: Final = len(PREFIX) + 6
"""Characters of a token that are stored and shown, to recognise it."""
USER_CODE_ALPHABET: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""Without vowels, so that no word appears, and without digits, which are mistaken for letters."""
USER_CODE_LENGTH: Final = 8
_SHAPE: Final = re.compile(rf"[a-z]{{3}}_[0-9A-Za-z]{{{RANDOM + CHECKSUM}}}")

_SECRET: Final = re.compile(r"[0-9A-Za-z_-]{43}")


def new_token(prefix: TokenPrefix = PREFIX) -> str:
    """A new token, by default an API token."""
    body = prefix + "".join(secrets.choice(ALPHABET) for _ in range(RANDOM))
    return body + _checksum(body)


def is_token(text: str, prefix: TokenPrefix = PREFIX) -> bool:
    """Whether a text has the format and the checksum of a token of this kind, by default an API token."""
    has_shape = text.startswith(prefix) and _SHAPE.fullmatch(text) is not None
    return has_shape and _checksum(text[:-CHECKSUM]) == text[-CHECKSUM:]


def _checksum(body: str) -> str:
    value, digits = zlib.crc32(body.encode()), []
    for _ in range(CHECKSUM):
        value, digit = divmod(value, len(ALPHABET))
        digits.append(ALPHABET[digit])
    return "".join(reversed(digits))


def new_secret() -> str:
    """A new secret of a session or a link, 256 bits, for URLs and cookies."""
    return secrets.token_urlsafe(32)


def is_secret(text: str) -> bool:
    """Whether a text has the form of a secret of a session or a link."""
    return _SECRET.fullmatch(text) is not None


def new_user_code() -> str:
    """A new code to type: 34 random bits, usable for minutes only (RFC 8628, 6.1)."""
    return "".join(secrets.choice(USER_CODE_ALPHABET) for _ in range(USER_CODE_LENGTH))


def digest(secret: str) -> str:
    """What is stored of a secret: its SHA-256. No salt and no slow hash: it cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()
