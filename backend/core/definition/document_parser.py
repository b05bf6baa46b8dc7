"""Parses JSON and a strict subset of YAML to plain values: dict, list, str, int, float, bool, None.

YAML is read without anchors, aliases, tags, merge keys and second documents, so that a short text cannot
expand into a large value. Plain scalars follow YAML 1.1 for booleans (`on`, `off`, `yes`, `no`), as users
expect; everything else follows the core schema of YAML 1.2, so that `010`, `1:30` and `2019-01-01` remain
text instead of becoming 8, 90 and a date.

Parsing takes time linear in the length of the text: the length is checked first, and each pattern is either
bounded or consumes every character once.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

import yaml

from backend.core.errors import Malformed, Problem

MAX_LENGTH: Final = 1024 * 1024
"""Characters, or bytes where the text is not decoded yet."""
MAX_DEPTH: Final = 12
MAX_NODES: Final = 20_000

Media = Literal["json", "yaml"]

_TRUE: Final = frozenset(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"))
_FALSE: Final = frozenset(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"))
_NULL: Final = frozenset(("", "~", "null", "Null", "NULL"))
_INTEGER: Final = re.compile(r"[-+]?(0|[1-9][0-9]{0,30})")
_FLOAT: Final = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]{1,4})?")
_NOT_FINITE: Final = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_JSON_TOKEN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{,\]}]', re.DOTALL)
"""A string, or a character that nests or separates. The quantifier is possessive and the closing quote is
optional, so that matching never backtracks."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Bounds:
    """Limits of a document: characters, and values. Its depth is always limited to MAX_DEPTH."""

    length: int = MAX_LENGTH
    nodes: int = MAX_NODES


DOCUMENT: Final = Bounds()


def parse_document(text: str | bytes, media: Media, bounds: Bounds = DOCUMENT) -> object:
    """The plain value of a document. Raises Malformed, with line and column where the parser knows them."""
    if len(text) > bounds.length:
        raise _malformed("too_large", f"the document has more than {bounds.length:,} characters")
    decoded = _decoded(text)
    return _read_json(decoded, bounds.nodes) if media == "json" else _read_yaml(decoded)


def _malformed(
    code: str, detail: str, line: int | None = None, column: int | None = None, pointer: str = ""
) -> Malformed:
    where = "" if line is None else f"line {line}, column {column}: "
    return Malformed((Problem(pointer, code, where + detail),))


def _pointer(steps: Iterable[object]) -> str:
    """A JSON Pointer (RFC 6901) from keys and indices."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _decoded(text: str | bytes) -> str:
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _malformed("not_utf8", f"the text must be UTF-8; byte {error.start} is not") from None
    return text.removeprefix("\ufeff")


def _position(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


# --- JSON ---------------------------------------------------------------------------------------


def _read_json(text: str, max_nodes: int) -> object:
    _check_json_size(text, max_nodes)
    try:
        value: object = json.loads(
            text, object_pairs_hook=_unique_pairs, parse_constant=_NotFinite, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        raise _malformed("malformed", f"not valid JSON: {error.msg}", error.lineno, error.colno) from None
    except ValueError:
        raise _malformed("number_too_long", "a number has more digits than any field allows") from None
    _refuse_not_finite(value, ())
    return value


def _check_json_size(text: str, max_nodes: int) -> None:
    """Refuse deep nesting and many values before the recursive parser meets them."""
    depth = nodes = 0
    for match in _JSON_TOKEN.finditer(text):
        token = match[0]
        if token in "[{,":
            nodes += 1
            depth += token != ","
        elif token in "]}":
            depth -= 1
        if depth > MAX_DEPTH:
            raise _too_deep(*_position(text, match.start()))
        if nodes > max_nodes:
            raise _too_large(*_position(text, match.start()), max_nodes)


def _unique_pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise _malformed("duplicate_key", f"the key {key!r} occurs twice in one object")
        values[key] = value
    return values


@dataclass(frozen=True)
class _NotFinite:
    """A number that is not finite, kept until its JSON Pointer is known."""

    word: str


def _finite(word: str) -> float | _NotFinite:
    value = float(word)
    return value if math.isfinite(value) else _NotFinite(word)


def _refuse_not_finite(value: object, steps: tuple[object, ...]) -> None:
    """Refuse the first number that is not finite, naming its field."""
    if isinstance(value, _NotFinite):
        raise _malformed("not_finite", _not_finite(value.word), pointer=_pointer(steps))
    if isinstance(value, dict | list):
        for step, part in value.items() if isinstance(value, dict) else enumerate(value):
            _refuse_not_finite(part, (*steps, step))


def _not_finite(word: str) -> str:
    return f"{word} is not allowed; numbers must be finite"


# --- YAML ---------------------------------------------------------------------------------------


def _too_deep(line: int, column: int) -> Malformed:
    return _malformed("too_deep", f"nested more than {MAX_DEPTH} levels deep", line, column)


def _too_large(line: int, column: int, max_nodes: int = MAX_NODES) -> Malformed:
    return _malformed("too_large", f"the document has more than {max_nodes:,} values", line, column)


def _read_yaml(text: str) -> object:
    try:
        return _YamlBuilder().build(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = f"not valid YAML: {error.problem or error.context}"
        if mark is None:
            raise _malformed("malformed", reason) from None
        raise _malformed("malformed", reason, mark.line + 1, mark.column + 1) from None
    except yaml.reader.ReaderError as error:
        offset = error.position if isinstance(error.position, int) else 0
        raise _malformed(
            "malformed", f"a character that YAML does not allow: {error.reason}", *_position(text, offset)
        ) from None
    except yaml.YAMLError as error:
        raise _malformed("malformed", f"not valid YAML: {error}") from None


class _YamlBuilder:
    """Builds plain values from YAML's events, with a stack instead of recursion."""

    def __init__(self) -> None:
        self._root: list[object] = []
        self._stack: list[dict[str, object] | list[object]] = [self._root]
        self._keys: list[str | None] = [None]
        self._nodes = 0
        self._documents = 0

    def build(self, text: str) -> object:
        """The value of the only document in `text`; None for an empty text."""
        for event in yaml.parse(text, Loader=_LOADER):
            self._take(event)
        return self._root[0] if self._root else None

    def _take(self, event: Any) -> None:
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise self._refuse(event, "second_document", "one document only; remove the second '---'")
        elif isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise self._refuse(
                event, "alias", "anchors (&) and aliases (*) are not allowed; repeat the value"
            )
        elif isinstance(event, yaml.CollectionEndEvent):
            self._stack.pop()
            self._keys.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._take_node(event)

    def _take_node(self, event: Any) -> None:
        self._nodes += 1
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if self._nodes > MAX_NODES:
            raise _too_large(line, column)
        if event.tag not in (None, "!"):
            raise self._refuse(event, "tag", f"tags are not allowed: {event.tag}")
        if isinstance(event, yaml.ScalarEvent):
            self._take_scalar(event)
            return
        value: dict[str, object] | list[object] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._add(event, value)
        self._stack.append(value)
        self._keys.append(None)
        if len(self._stack) > MAX_DEPTH + 1:
            raise _too_deep(line, column)

    def _take_scalar(self, event: Any) -> None:
        top = self._stack[-1]
        if isinstance(top, dict) and self._keys[-1] is None:
            if event.value in top:
                raise self._refuse(event, "duplicate_key", f"the key {event.value!r} occurs twice here")
            if event.value == "<<" and event.implicit[0]:
                raise self._refuse(event, "merge_key", "merge keys (<<) are not allowed; repeat the values")
            self._keys[-1] = event.value
        else:
            self._add(event, self._plain(event) if event.implicit[0] else event.value)

    def _add(self, event: Any, value: object) -> None:
        top = self._stack[-1]
        if isinstance(top, list):
            top.append(value)
            return
        key = self._keys[-1]
        if key is None:
            raise self._refuse(event, "key", "a key must be a single word, not a list or a mapping")
        top[key] = value
        self._keys[-1] = None

    def _plain(self, event: Any) -> object:
        word: str = event.value
        if word in _NULL:
            return None
        if word in _TRUE or word in _FALSE:
            return word in _TRUE
        if _INTEGER.fullmatch(word):
            return int(word)
        if _NOT_FINITE.fullmatch(word):
            raise self._refuse(event, "not_finite", _not_finite(word))
        if _FLOAT.fullmatch(word):
            value = float(word)
            if not math.isfinite(value):
                raise self._refuse(event, "not_finite", _not_finite(word))
            return value
        return word

    def _place(self) -> str:
        """The JSON Pointer of the next value."""
        steps: list[object] = []
        for level, key in zip(self._stack[1:], self._keys[1:], strict=True):
            inner = level is not self._stack[-1]  # then the next value is inside the last one of this level
            if isinstance(level, list):
                steps.append(len(level) - inner)
            else:
                steps.append(next(reversed(level)) if inner else key)
        return _pointer(step for step in steps if step is not None)

    def _refuse(self, event: Any, code: str, detail: str) -> Malformed:
        mark = event.start_mark
        return _malformed(code, detail, mark.line + 1, mark.column + 1, self._place())
