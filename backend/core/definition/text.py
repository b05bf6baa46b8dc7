"""The characters that a line of text may contain, and the replacement of the others.

Control characters move a terminal's cursor or end a line; bidirectional formatting characters change the
order in which text is displayed (Unicode Technical Report 36, 3.2); noncharacters and lone surrogates are not
allowed in XML, and so not in SVG.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_CONTROLS: Final = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_DIRECTIONS: Final = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_NONCHARACTERS: Final = r"\ufdd0-\ufdef\ufffe\uffff"
_HIGHER_NONCHARACTERS: Final = "".join(
    chr(plane << 16 | low) for plane in range(1, 17) for low in (0xFFFE, 0xFFFF)
)

LINE_PATTERN: Final = rf"^[^{_CONTROLS}{_DIRECTIONS}{_NONCHARACTERS}]+$"
"""The pattern of one line for JSON Schema; `unprintable` also covers the characters beyond U+FFFF."""

EMAIL_PATTERN: Final = r"^[^\s@<>\"\x00-\x1f\x7f-\x9f]+@[^\s@<>\"\x00-\x1f\x7f-\x9f]+$"
MAX_EMAIL: Final = 254

_UNPRINTABLE: Final = re.compile(
    rf"[{_CONTROLS}{_DIRECTIONS}{_NONCHARACTERS}\ud800-\udfff{_HIGHER_NONCHARACTERS}]"
)
_LAID_OUT: Final = frozenset("\n\t")
_REPLACED: Final = "\N{REPLACEMENT CHARACTER}"


def unprintable(text: str) -> str | None:
    """The first character that is not allowed in a line, as "U+202E"; None if all are allowed."""
    found = _UNPRINTABLE.search(text)
    return None if found is None else f"U+{ord(found[0]):04X}"


def is_email(text: str) -> bool:
    """Whether a text has the form of an email address; whether it exists is not checked."""
    if len(text) > MAX_EMAIL or unprintable(text) is not None or ambiguous(text) is not None:
        return False
    return re.match(EMAIL_PATTERN, text) is not None


def ambiguous(address: str) -> str | None:
    """The first character that becomes an ASCII one in lower case or in NFKC, as "U+212A"; None without any.

    Addresses are compared in lower case, and host names are read in NFKC: with a KELVIN SIGN in place of a k,
    an address would be taken for that of somebody else.
    """
    for character in address:
        if not character.isascii() and any(map(str.isascii, character.lower() + _compatible(character))):
            return f"U+{ord(character):04X}"
    return None


def _compatible(character: str) -> str:
    return unicodedata.normalize("NFKC", character)


def printable(text: str) -> str:
    """The text with U+FFFD in place of every such character; line feeds and tabs are kept."""
    return _UNPRINTABLE.sub(lambda found: found[0] if found[0] in _LAID_OUT else _REPLACED, text)
