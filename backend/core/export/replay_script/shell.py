"""Words of a POSIX shell. A token marks what is known only when the script runs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

ADDRESS: Final = "@address@"
PORT: Final = 987_654_321
"""The token of the published port: not a valid port, and above every number of a tool's arguments."""
FRONT_PORT: Final = 987_654_322
_VARIABLES: Final = {ADDRESS: "ADDRESS", str(PORT): "PORT", str(FRONT_PORT): "FRONT_PORT"}
_TOKENS: Final = re.compile("|".join(map(re.escape, _VARIABLES)))
_PLAIN: Final = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")


def quoted(text: str) -> str:
    """One word: a token becomes its shell variable, everything else is literal."""
    parts, end = [], 0
    for token in _TOKENS.finditer(text):
        parts += [_literal(text[end : token.start()]), f'"${{{_VARIABLES[token.group()]}}}"']
        end = token.end()
    return "".join((*parts, _literal(text[end:]))) or "''"


def _literal(text: str) -> str:
    if not text or _PLAIN.fullmatch(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def command(words: Iterable[str]) -> str:
    """A command line of words."""
    return " ".join(map(quoted, words))


def comment(text: str) -> str:
    """A text as comment lines: no line of it can end the comment."""
    return "\n".join(f"# {line}".rstrip() for line in text.splitlines() or [""])
