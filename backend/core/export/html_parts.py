"""Elements of HTML. Every text is translated and escaped here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from backend.core.messages.translation import said


def text(value: str) -> str:
    """A text in the language of the file, escaped for elements and attributes."""
    return escape(said(value), quote=True)


def section(title: str, *parts: str) -> str:
    """A section with its heading; empty without content."""
    found = [part for part in parts if part]
    return "\n".join((f"<section><h2>{text(title)}</h2>", *found, "</section>")) if found else ""


def paragraph(value: str, kind: str = "") -> str:
    """A paragraph; `kind` is its class."""
    return f"<p{_class(kind)}>{text(value)}</p>"


def bullets(values: Iterable[tuple[str, str]]) -> str:
    """A list of (text, class); empty without items."""
    items = "".join(f"<li{_class(kind)}>{text(value)}</li>" for value, kind in values)
    return f"<ul>{items}</ul>" if items else ""


def facts(values: Mapping[str, str]) -> str:
    """Names with their values; empty without any."""
    rows = "".join(f"<dt>{text(name)}</dt><dd>{text(value)}</dd>" for name, value in values.items())
    return f"<dl>{rows}</dl>" if rows else ""


def table(
    caption: str, columns: Sequence[str], aligned: Sequence[str], rows: Sequence[tuple[Sequence[str], str]]
) -> str:
    """A table of texts; `aligned` is "<" or ">" for each column; each row has a class."""
    sides = [' class="number"' if side == ">" else "" for side in aligned]
    head = "".join(
        f'<th scope="col"{side}>{text(name)}</th>' for name, side in zip(columns, sides, strict=True)
    )
    body = "".join(
        f"<tr{_class(kind)}>"
        + "".join(f"<td{side}>{text(value)}</td>" for value, side in zip(row, sides, strict=True))
        + "</tr>\n"
        for row, kind in rows
    )
    return (
        f'<div class="wide"><table><caption>{text(caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table></div>"
    )


def _class(kind: str) -> str:
    return f' class="{escape(kind)}"' if kind else ""
