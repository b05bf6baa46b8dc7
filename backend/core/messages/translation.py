"""Texts for readers in the language of the file that is written: the page's own Chinese, on the server.

A sentence is translated by its id, any other text by its template (`recognise`), a label by its parts, as
the page does. What users write is never translated: it is `Written`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from backend.core.messages import language
from backend.core.messages.labels import LabelTexts
from backend.core.messages.message import Figure, Message, MessageParts, parts_of

CHINESE: Final = Path(__file__).with_name("chinese.json")
"""Written by scripts.chinese_texts from the page's catalogues."""
_PREFIX: Final = re.compile(r"(catalog|labels|reasons):(.+)", re.DOTALL)
_FIGURE: Final = re.compile(r"\{\{(\w+)\}\}")
_LETTER: Final = re.compile("[A-Za-z]")
_UNPREFIXED: Final = ("report", "warnings", "betweenRuns")
_WHOLE: Final = ("report", "catalog", "labels")
"""Namespaces whose texts without figures are translated where they are a whole text; the first one wins."""


class Written(str):
    """A text that somebody wrote, such as a title: it is the same in every language."""

    __slots__ = ()


def said(text: str) -> str:
    """The text in the language of the file that is written; itself where there is no translation."""
    if language.current() == "en" or isinstance(text, Written) or not _LETTER.search(text):
        return text
    if isinstance(text, Message):
        return _sentence(text.id, text.figures) or _plain(str.__str__(text))
    return _plain(text)


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    whole = _wholes().get(text)
    if whole is not None:
        return whole
    label = _labels().translated(text)
    if label != text:
        return label
    parts = parts_of(text)
    return (parts and _sentence(parts.id, parts.figures)) or text


def _sentence(id_: str, figures: Mapping[str, Figure | MessageParts]) -> str | None:
    """The Chinese of a message; None where there is none of its id."""
    template = _template(id_)
    if template is None:
        return None
    texts = {name: _figure(figure) for name, figure in figures.items()}
    return _FIGURE.sub(lambda name: texts.get(name[1], name[0]), template)


def _template(id_: str) -> str | None:
    prefixed = _PREFIX.fullmatch(id_)
    namespaces, key = ((prefixed[1],), prefixed[2]) if prefixed else (_UNPREFIXED, id_)
    for namespace in namespaces:
        texts = _texts()[namespace]
        found = texts.get(key) or texts.get(f"{key}_other")
        if found is not None:
            return found[1]
    return None


def _figure(figure: Figure | MessageParts) -> str:
    if isinstance(figure, MessageParts):
        return _sentence(figure.id, figure.figures) or figure.id
    return said(figure) if isinstance(figure, str) else f"{figure:,}"


@cache
def _texts() -> Mapping[str, Mapping[str, tuple[str, str]]]:
    return {
        namespace: {key: (english, chinese) for key, (english, chinese) in texts.items()}
        for namespace, texts in json.loads(CHINESE.read_text("utf-8")).items()
    }


@cache
def _labels() -> LabelTexts:
    return LabelTexts(_texts())


@cache
def _wholes() -> Mapping[str, str]:
    """The Chinese of each text without figures."""
    found: dict[str, str] = {}
    for namespace in _WHOLE:
        for english, chinese in _texts()[namespace].values():
            if "{{" not in english:
                found.setdefault(english, chinese)
    return found
