"""The id and figures of a sentence that was written as plain text.

Refusals, faults, readings and evidence are sentences that many modules, workers of earlier releases and
stored records hold as text. A sentence is recognised by the template that it was written from; a figure that
is a sentence itself, such as the reason in "c2 could not run: …", is recognised in turn. tests/core hold that
the sentences in the source have a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from backend.core.messages.reasons import REASONS

NAMESPACE: Final = "reasons:"
LONGEST: Final = 1000
"""Characters of the longest text that is recognised: matching takes time that grows with its length."""
DEEPEST: Final = 7
MOST_PARTS: Final = 40
"""Parts of one text that are recognised: a text of a caller's own may be full of separators."""
FEWEST_LETTERS: Final = 4
"""A template with fewer letters of its own, such as "{{field}}: {{detail}}", fits many texts: it counts only
where one of its figures is recognised."""
WORDS: Final = frozenset(
    ("n", "of", "most", "least", "seconds", "limit", "field", "round", "line", "column", "at", "cells")
)
"""Figures without spaces: numbers and pointers."""
LISTS: Final = frozenset(("listAnd", "listOr"))
"""Templates of lists of words: their figures are words, parted by commas."""

_FIGURE: Final = re.compile(r"\{\{(\w+)\}\}")
_LETTER: Final = re.compile(r"[A-Za-z]")


@dataclass(frozen=True)
class Recognised:
    """The id of a template, and the figures of one text."""

    id: str
    figures: Mapping[str, str | Recognised]


@dataclass(frozen=True)
class _Template:
    id: str
    head: str
    tail: str
    letters: int
    pattern: re.Pattern[str]


@lru_cache(maxsize=4096)
def recognise(text: str) -> Recognised | None:
    """The template and the figures of a sentence; None where no template fits.

    Where several fit, it is the one that explains most letters, those in recognised figures included.
    """
    if not _LETTER.search(text) or len(text) > LONGEST:
        return None
    return _best(text, DEEPEST, iter(range(MOST_PARTS)))[0]


def _best(text: str, depth: int, left: Iterator[int]) -> tuple[Recognised | None, int]:
    """The best template of a text, and the letters that it explains; none where no part is left."""
    best: tuple[Recognised | None, int] = (None, 0)
    if next(left, None) is None:
        return best
    for template in _templates():
        if not (text.startswith(template.head) and text.endswith(template.tail)):
            continue
        match = template.pattern.fullmatch(text)
        if match is not None:
            found = _filled(template, match.groupdict(), depth, left)
            if found is not None and found[1] > best[1]:
                best = found
    return best


def _filled(
    template: _Template, values: Mapping[str, str], depth: int, left: Iterator[int]
) -> tuple[Recognised, int] | None:
    """A template with its figures, and the letters explained; None where there are none."""
    figures: dict[str, str | Recognised] = {}
    own = template.letters >= FEWEST_LETTERS or template.id in LISTS or not values
    letters = template.letters if own else 0
    for name, value in values.items():
        nested, more = _best(value, depth - 1, left) if depth > 1 and _LETTER.search(value) else (None, 0)
        figures[name] = value if nested is None else nested
        letters += more
    return (Recognised(NAMESPACE + template.id, figures), letters) if letters else None


@lru_cache(maxsize=1)
def _templates() -> tuple[_Template, ...]:
    return tuple(_compiled(id_, text) for id_, text in REASONS.items())


def _compiled(id_: str, text: str) -> _Template:
    parts = _FIGURE.split(text)
    literals, names = parts[::2], parts[1::2]
    pattern = re.escape(literals[0])
    for name, literal in zip(names, literals[1:], strict=True):
        word = r"[^ ]+(?:, [^ ]+)*" if id_ in LISTS else r"[^ ]+" if name in WORDS else ".+?"
        pattern += f"(?P<{name}>{word})" + re.escape(literal)
    letters = len(_LETTER.findall("".join(literals)))
    return _Template(id_, literals[0], literals[-1] if names else "", letters, re.compile(pattern, re.DOTALL))
