"""Which characters a line may hold, and how others are shown."""

from __future__ import annotations

import re

import pytest

from backend.core.definition.text import LINE_PATTERN, printable, unprintable
from tests.core.definition.documents import problems

REFUSED = (
    *("\x00", "\x07", "\x1b", "\n", "\x7f", "\x80", "\x9b", "\x9f", "\u2028", "\u2029"),
    *("\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"),
    *("\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0010ffff", "\ud800", "\udfff"),
)


@pytest.mark.parametrize("character", REFUSED)
def test_no_title_holds_what_moves_or_turns_text(character: str) -> None:
    assert unprintable(f"a{character}b") == f"U+{ord(character):04X}"
    found = problems(title=f"a{character}b")
    assert list(found) == ["/title"]
    code, detail = found["/title"]
    assert code in ("bad_form", "invalid", "wrong_type", "string_unicode")
    assert "without control characters" in detail and unprintable(detail.replace("\n", "")) is None
    detail.encode()


@pytest.mark.parametrize(
    "text", ["ünïcode \N{SNOWMAN}", "日本語", "עברית", "\N{PILE OF POO}", "a\u200db", "µ × –"]
)
def test_every_script_may_be_written(text: str) -> None:
    assert unprintable(text) is None and printable(text) == text
    assert re.fullmatch(LINE_PATTERN, text)


def test_what_is_stored_already_is_shown_with_replacements() -> None:
    assert printable("a\x1b[2Jb\u202ec\ufffe\td\n") == "a\ufffd[2Jb\ufffdc\ufffd\td\n"
    for character in REFUSED:
        assert unprintable(printable(character).strip()) is None
