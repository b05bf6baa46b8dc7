"""The language in which files for readers are written: a value of the context, English unless it is set.

Sentences keep their English text and their ids (`message`); only what writes a file for readers asks
`translation.said` for the text in the language, so that no other output depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, Literal, get_args

from backend.core.errors import Invalid

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
TAGS: Final[dict[Language, str]] = {"en": "en", "zh": "zh-Hans"}
"""The BCP 47 tag of each language, for the attribute `lang`; the same as the page's."""

_current: ContextVar[Language] = ContextVar("language", default="en")


def language_named(name: str) -> Language:
    """The language of this name. Raises Invalid."""
    for language in LANGUAGES:
        if language == name:
            return language
    raise Invalid.at("/language", "unknown_language", f"language is one of {', '.join(LANGUAGES)}")


def current() -> Language:
    """The language of the file that is written now."""
    return _current.get()


@contextmanager
def writing_in(language: Language) -> Iterator[None]:
    """Within it, files for readers are written in this language."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)
