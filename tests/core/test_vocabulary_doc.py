"""Words that docs/vocabulary.md replaces do not come back into code, documents and page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]
SOURCES: Final = {".py", ".ts", ".tsx", ".mjs", ".md", ".bash", ".yaml", ".html"}
ALLOWED_PLACES: Final = (
    "CHANGELOG.md",  # history
    "migrations/",  # history of the stored names
    "docs/openapi.json",  # public fields, deprecated where the field has a better name
    "frontend/src/api/generated/",  # the same fields
    "backend/client/models.py",  # generated, the same fields
    "docs/paths/",  # written by live tests, with the stored name of the hop
    "docs/vocabulary.md",  # the list itself
    "tests/core/test_vocabulary_doc.py",
)
"""Files that may use any of the words."""

MOST: Final[dict[str, int]] = {
    "asked": 101,
    "book": 4,
    "carry_out": 4,
    "fenced": 1,
    "look": 20,
    "looking": 5,
    "looks": 34,
    "noticed": 1,
    "price": 5,
    "prices": 2,
    "reckoned": 1,
    "rung": 10,
    "rungs": 62,
    "spared": 45,
    "stand": 26,
    "standing": 24,
    "stands": 7,
    "tells": 5,
    "told": 32,
    "weight": 30,
    "wire": 51,
}
"""Uses of a word that remain elsewhere: public fields, stored values, and texts not yet renamed. Lower a
number when a use goes; do not raise one."""


def unused_words() -> list[str]:
    """The words of the table at the end of docs/vocabulary.md."""
    table = (ROOT / "docs/vocabulary.md").read_text().split("## Words that are not used")[1]
    rows = re.findall(r"^\| ([a-z_, ]+) \|", table, re.M)[1:]
    return [word for row in rows for word in row.split(", ")]


def sources() -> list[str]:
    """The text of every source file outside ALLOWED_PLACES."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = [name for name in listed.split("\n") if not name.startswith(ALLOWED_PLACES)]
    paths = [ROOT / name for name in names if Path(name).suffix in SOURCES]
    return [path.read_text() for path in paths if path.exists()]


def uses(word: str, text: str) -> int:
    """How often the text uses the word: by itself, or within a name in snake, camel or upper case.

    "Look up" does not count.
    """
    found = 0
    for spelling in (word, word.capitalize(), word.upper()):
        if spelling in text:
            before = "" if spelling[0].isupper() and spelling != word.upper() else "(?<![A-Za-z])"
            after = "(?![A-Za-z]| up)" if spelling == word.upper() else "(?![a-z]| up)"
            found += len(re.findall(f"{before}{spelling}{after}", text))
    return found


def test_replaced_words_do_not_come_back() -> None:
    words, texts = unused_words(), sources()
    assert set(MOST) <= set(words)
    found = {word: sum(uses(word, text) for text in texts) for word in words}
    assert {word: n for word, n in found.items() if n > MOST.get(word, 0)} == {}
