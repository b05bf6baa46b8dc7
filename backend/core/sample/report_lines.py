"""The contract of all parsers: a report is read whole, or refused.

What must be in a report: its needed lines. What may be: its other lines, each at most once unless it is a
list. A line that begins like one of them and cannot be read is an error with its number, never a missing
figure. A line twice is a second report. What may be around: any other text, before, between and after, so
that a log may hold the shell's prompt, `time`, a warning or the user's own script's output. A text is read
as the tool printed it: without the byte order mark, the NULs and the line ends of another system.

A figure that cannot be true beside the others of its report is left out with a notice
(`report_notices.left_out`), and what the tool says of its own incompleteness is a notice or a refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from backend.core.errors import Unparseable
from backend.core.sample.figures import bounded

SHOWN: Final = 80
"""The most characters of a line that an error quotes."""
NUL_SHARE: Final = 0.3
"""UTF-16 read as UTF-8 has a NUL for nearly every character: from this share of a text on it is one."""
LINE_END: Final = re.compile(r"\r+\n?")
NO_NUMBER: Final = re.compile(r"(?<![a-z])-?(?:nan|inf(?:inity)?)(?=(?:us|ms|s|m|h)?(?![a-z]))", re.I)
"""What C prints for a figure that is none, with wrk's units."""
COMMA: Final = re.compile(r"[0-9],[0-9]")
NULS: Final = ("\0", "\ufffd")
"""A NUL, and what it becomes where a text is stored."""
INDENT: Final = r"[ \t>*_`+#]*+"
"""Blanks and marks of Markdown before a line. A hyphen is pgbench's own, before lines of one script."""
COLOUR: Final = re.compile(
    r"\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\x07\x1b\n]{0,200}(?:\x07|\x1b\\)|[()][A-Z0-9])"
)
"""What terminals take as colour, title or character set."""
INVISIBLE: Final = re.compile("[\u200b-\u200d\u2060]")
BLANKS: Final = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
"""The blanks of web pages, of other widths than one's own."""
_TIME: Final = r"[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?"
_STAMP: Final = (
    rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}[T ]{_TIME}(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?"
    rf"|[A-Z][a-z]{{2}} [ 0-9][0-9] {_TIME}"
)
_SOURCE: Final = r"[\w.@-]{1,60}+ {0,20}+\| |[^\t\n]{1,60}+\t[^\t\n]{1,60}+\t|\[[\w./-]{1,100}+\] "
_STAMPED: Final = (
    rf"(?:{_SOURCE})?\[?(?:{_STAMP})\]?(?: [\w.-]{{1,60}}+ [\w./@-]{{1,60}}+\[[0-9]{{1,10}}+\]:)? ?"
)
STAMPED: Final = re.compile(_STAMPED)
STAMPED_LINE: Final = re.compile(f"\n{_STAMPED}")
"""What logs have before each line, another one each time: builds, containers with -t, the journal, ts."""
_QUOTED: Final = r"[ \t]*>[ \t>]*|[\w.@-]{1,60} {0,20}\| |\[[\w./-]{1,100}\] "
QUOTED: Final = re.compile(_QUOTED)
"""What may precede each line of a pasted report: the mark of a mail, the name of a container."""
INDENTED: Final = re.compile(rf"{_QUOTED}|[ \t]+")
MARKED: Final = re.compile(r"[ \t]*(?:[#+|;│-]|//)[ \t]{0,3}")
"""Marks of comments, differences and panes: taken off only where no report is without them."""
WIDEST: Final = 240
"""Characters before a line that are looked at."""
MOST_PLACES: Final = 100
"""Places of a word that are tried: a log names it in other lines, too."""
REPLACED: Final = "\ufffd\ufeff"
"""What a byte order mark becomes where its encoding is not known."""


@dataclass(frozen=True)
class Row:
    """One line of a report: how it begins, the rest of its form, and how an error names it.

    `begins` is as short as it can be without fitting other text, and has no group. `listed`: there may be
    several. `decides`: without it the others are read otherwise, as if nothing had failed. A report that has
    such a line only behind other text is refused, because that text may be a mark in front of it; it begins
    with plain words.
    """

    name: str
    begins: str
    rest: str
    shown: str = ""
    needed: bool = False
    listed: bool = False
    decides: bool = False


@dataclass(frozen=True)
class Found:
    """The lines of a report by the names of their rows, whole but for blanks at their ends.

    `odd` are lines that are not needed and have no number ("nan") in the place of one: they are left out.
    """

    lines: Mapping[str, Sequence[re.Match[str]]]
    odd: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Sequence[re.Match[str]]:
        return self.lines[name]


class _Line(NamedTuple):
    """A line that begins as a row, and its place in the text."""

    start: int
    text: str


class Rows:
    """The lines that one tool's report may have."""

    def __init__(self, tool: str, *rows: Row) -> None:
        self._tool = tool
        self._rows = rows
        # A pattern that begins with a line end is searched for that character alone; "^" is tried at each.
        either = "|".join(
            ("" if plain else INDENT)
            + "(?:"
            + "|".join(f"(?P<{row.name}>{row.begins})" for row in group)
            + ")"
            for plain, group in groupby(rows, lambda row: row.begins.startswith(" "))
        )
        self._begins = re.compile(f"\n(?:{either})[^\n]*", re.M)
        begins = {row.name: row.begins if row.begins.startswith(" ") else INDENT + row.begins for row in rows}
        self._forms = {row.name: re.compile(begins[row.name] + row.rest) for row in rows}
        self._inside = {row: re.compile(row.begins + row.rest) for row in rows if row.decides}

    def read(self, text: str, before: int = 0) -> Found:
        """Every line of the text that begins as a row; `before` lines precede the text in its log.

        Raises Unparseable for a second report, a line that cannot be read, and a needed one that is missing.
        """
        begun: dict[str, list[_Line]] = {row.name: [] for row in self._rows}
        for match in self._begins.finditer(f"\n{text}"):
            begun[str(match.lastgroup)].append(_Line(match.start(), match.group()[1:]))
        once(self._tool, max((len(begun[row.name]) for row in self._rows if not row.listed), default=0))
        for row, form in self._inside.items():
            if not begun[row.name] and row.begins in text and (inside := form.search(text)):
                line = text[text.rfind("\n", 0, inside.start()) + 1 : inside.end()]
                raise unread(self._tool, line, before + text.count("\n", 0, inside.start()) + 1)
        odd: list[str] = []
        lines = {row.name: list(self._whole(row, text, begun[row.name], before, odd)) for row in self._rows}
        return Found(lines, tuple(odd))

    def _whole(
        self, row: Row, text: str, begun: Sequence[_Line], before: int, odd: list[str]
    ) -> Iterator[re.Match[str]]:
        if row.needed and not begun:
            raise Unparseable(f"{self._tool} printed no line '{row.shown or row.begins}'")
        for line in begun:
            printed = line.text.rstrip(" \t")
            if whole := self._forms[row.name].fullmatch(text, line.start, line.start + len(printed)):
                yield whole
            elif not row.needed and self._is_no_number(row, printed):
                odd.append(line.text.strip()[:SHOWN])
            else:
                raise unread(self._tool, line.text, before + text.count("\n", 0, line.start) + 1)

    def _is_no_number(self, row: Row, line: str) -> bool:
        numbers, times = NO_NUMBER.subn("0", line[: 4 * SHOWN])
        return times > 0 and self._forms[row.name].fullmatch(numbers) is not None


def unread(tool: str, line: str, number: int) -> Unparseable:
    """The error for a line of a report that cannot be read; `number` counts from 1."""
    text = line.strip()
    quoted = text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
    if COMMA.search(text):
        return Unparseable(
            f"{tool} printed a line that cannot be read, line {number}: '{quoted}'; run it with LC_ALL=C"
        )
    return Unparseable(f"{tool} printed a line that cannot be read, line {number}: '{quoted}'")


def once(tool: str, reports: int) -> None:
    """Raise Unparseable for more than one report: figures of two runs in one log would be mixed."""
    if reports > 1:
        raise Unparseable(f"the output of {tool} contains {reports} reports; give one log for each run")


class Marked:
    """A pattern of a line with a word: the search begins at the first line that has the word."""

    def __init__(self, word: str, pattern: str) -> None:
        self._word = word
        self._pattern = re.compile(pattern, re.M)

    def search(self, text: str) -> re.Match[str] | None:
        """The first match."""
        at = text.find(self._word)
        return self._pattern.search(text, text.rfind("\n", 0, at) + 1) if at >= 0 else None

    def every(self, text: str) -> Iterator[re.Match[str]]:
        """Every match."""
        at = text.find(self._word)
        return self._pattern.finditer(text, text.rfind("\n", 0, at) + 1) if at >= 0 else iter(())


@dataclass(frozen=True)
class Pasted:
    """Finds what precedes each line of a pasted report, where a line begins with one of some words."""

    words: tuple[str, ...]
    prefix: re.Pattern[str] = INDENTED

    def without_prefix(self, text: str) -> str:
        """The text as the tool printed it."""
        if STAMPED.match(text) or any(self._before(word, text, STAMPED) for word in self.words):
            text = STAMPED_LINE.sub("\n", f"\n{text}")[1:]
        prefix = next(filter(None, (self._before(word, text, self.prefix) for word in self.words)), "")
        prefix = prefix or self._mark(text)
        return f"\n{text}".replace(f"\n{prefix}", "\n")[1:] if prefix else text

    def _mark(self, text: str) -> str:
        word = self.words[0]
        if text.startswith(word) or f"\n{word}" in text:
            return ""
        return self._before(word, text, MARKED)

    def _before(self, word: str, text: str, form: re.Pattern[str]) -> str:
        at = -1
        for _ in range(MOST_PLACES):
            at = text.find(word, at + 1)
            if at < 0:
                break
            line = text[max(0, at - WIDEST) : at].rpartition("\n")[2]
            if form.fullmatch(line):
                return line
        return ""


def printed(tool: str, limit: int, stdout: str, stderr: str, pasted: Pasted) -> tuple[str, str]:
    """Both texts as the tool printed them. Raises Unparseable for one of more than `limit` characters."""
    bounded(tool, limit, stdout, stderr)
    return pasted.without_prefix(as_printed(stdout)), pasted.without_prefix(as_printed(stderr))


def as_printed(text: str) -> str:
    """A text without the marks of another system: byte order mark, NULs of UTF-16, carriage
    returns, the blanks of web pages and what has no width there, the colours of terminals."""
    if any(nul in text for nul in NULS) and sum(map(text.count, NULS)) > NUL_SHARE * len(text):
        for nul in NULS:
            text = text.replace(nul, "")
    text = text.lstrip(REPLACED)
    if not text.isascii():
        text = INVISIBLE.sub("", BLANKS.sub(" ", text))
    if "\x1b" in text:
        text = COLOUR.sub("", text)
    return LINE_END.sub("\n", text) if "\r" in text else text


def first(found: Found, name: str) -> re.Match[str] | None:
    """The line of a row that is in the report at most once."""
    return next(iter(found[name]), None)


def group(found: Found, name: str) -> str | None:
    """The figure of such a line as it is printed."""
    line = first(found, name)
    return line.group(1) if line else None
