"""Labels of cells and levels in Chinese, part by part: the same rules as the page's `labelText`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

Texts = Mapping[str, Mapping[str, tuple[str, str]]]
"""(English, Chinese) by namespace and key."""

_NAMES: Final = re.compile(r"(factor|about|metric|unit|path|preset)[A-Z]")
"""The names that are a label, or a part of one."""
_SEPARATOR: Final = ", "
_VALUE: Final = "{{value}}"
_DUPLICATE: Final = " (A/A)"
_AGAINST: Final = " against "
_WORD: Final = re.compile(r"\S+")


class LabelTexts:
    """What labels are made of: texts by their English, and templates of one level with a value."""

    def __init__(self, texts: Texts) -> None:
        named = [text for key, text in texts["catalog"].items() if _NAMES.match(key)]
        named += [text for key, text in texts["labels"].items() if not key.startswith("fact")]
        self.exact = {english: chinese for english, chinese in named if "{{" not in english}
        self.levels = [
            (*english.split(_VALUE), chinese) for english, chinese in named if english.count(_VALUE) == 1
        ]
        self.labels = {key: text for key, text in texts["labels"].items() if key.startswith("label")}

    def translated(self, label: str) -> str:
        """The label in Chinese; a part that is no label of the server stays as it is."""
        if label in self.exact:
            return self.exact[label]
        if label.endswith(_DUPLICATE):
            inner = self.translated(label.removesuffix(_DUPLICATE))
            return self.labels["labelDuplicate"][1].replace("{{label}}", inner)
        before, against, after = label.partition(_AGAINST)
        if against and (self.translated(before) != before or self.translated(after) != after):
            template = self.labels["labelAgainst"][1].replace("{{label}}", self.translated(before))
            return template.replace("{{other}}", self.translated(after))
        title = f"{self.labels['labelLadder'][0]}: "
        if label.startswith(title):
            inner = self.translated(label.removeprefix(title))
            return self.labels["labelLadderOf"][1].replace("{{label}}", inner)
        return "，".join(self._parts(label))

    def _parts(self, label: str) -> Sequence[str]:
        """The parts one by one, the longest known one first: titles of paths have commas."""
        pieces, found, known, at = label.split(_SEPARATOR), [], False, 0
        while at < len(pieces):
            ends = range(len(pieces), at, -1)
            parts = ((end, self._part(_SEPARATOR.join(pieces[at:end]))) for end in ends)
            end, text = next(((end, text) for end, text in parts if text is not None), (at + 1, None))
            known = known or text is not None
            found.append(pieces[at] if text is None else text)
            at = end
        return found if known else [label]

    def _part(self, text: str) -> str | None:
        if text in self.exact:
            return self.exact[text]
        for before, after, chinese in self.levels:
            if text.startswith(before) and text.endswith(after):
                value = text[len(before) : len(text) - len(after)]
                if _WORD.fullmatch(value):
                    return chinese.replace(_VALUE, value)
        return None
