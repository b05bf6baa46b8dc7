"""Draws pictures with limits on processes, waiting requests and seconds per picture."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from backend.core.definition.text import printable
from backend.core.errors import Unavailable
from backend.core.export.pictures.card_svg import Card

Form = Literal["svg", "png"]

PROCESSES = 2
WAITING = 8
LIMIT_S = 10.0
"""For each picture."""
COMMAND = (sys.executable, "-m", "backend.render.draw")

_waiting = threading.BoundedSemaphore(PROCESSES + WAITING)
_drawing = threading.BoundedSemaphore(PROCESSES)


def draw(specs: Sequence[Mapping[str, Any]], form: Form) -> list[bytes]:
    """The pictures of these Vega-Lite specifications, in order.

    Raises Unavailable where too many requests wait, or where drawing fails or exceeds the limit; the
    drawing process has ended in every case.
    """
    return _draw(specs, form, None)


def draw_card(spec: Mapping[str, Any], card: Card, form: Form) -> bytes:
    """The picture of a card with this specification; a PNG is 1200 by 630 pixels. Raises Unavailable."""
    return _draw([spec], form, asdict(card))[0]


def _draw(specs: Sequence[Mapping[str, Any]], form: Form, card: Mapping[str, Any] | None) -> list[bytes]:
    if not _waiting.acquire(blocking=False):
        raise Unavailable("too many pictures are being drawn; try again in a few seconds")
    try:
        if not _drawing.acquire(timeout=LIMIT_S):
            raise Unavailable("pictures take longer than usual to draw; try again in a few seconds")
        try:
            wanted = {"specs": drawable(list(specs)), "form": form, "card": drawable(card)}
            return _drawn(json.dumps(wanted, allow_nan=False), LIMIT_S * max(1, len(specs)))
        finally:
            _drawing.release()
    finally:
        _waiting.release()


def drawable(value: Any) -> Any:
    """The value with U+FFFD for every character that is not allowed in SVG."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {drawable(key): drawable(item) for key, item in value.items()}
    return [drawable(item) for item in value] if isinstance(value, list | tuple) else value


def _drawn(wanted: str, limit_s: float) -> list[bytes]:
    try:
        done = subprocess.run(
            COMMAND, input=wanted.encode(), capture_output=True, timeout=limit_s, check=True
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"the picture took longer than {limit_s:g} s; try a smaller run") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unavailable("the picture could not be drawn; the log has the reason") from _Reason(error)
    return [base64.b64decode(text) for text in json.loads(done.stdout)]


class _Reason(Exception):
    """The end of the drawing process's standard error."""

    def __init__(self, error: OSError | subprocess.CalledProcessError) -> None:
        said = getattr(error, "stderr", b"") or b""
        super().__init__(f"{error}: {said.decode(errors='replace').strip()[-500:]}")
