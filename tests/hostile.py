"""Hostile texts, and whether the work that a reader does on them grows with their length alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from backend.cli.failure import Failure
from backend.core.errors import PlimsollError

SHORT: Final = 0.02
"""Seconds of CPU for each SHORT_LENGTH characters below which a ratio is noise: large texts have new memory
pages, which short ones do not. Quadratic work on 16 KiB of text takes 0.1 s and more, on 1 MiB minutes."""
SHORT_LENGTH: Final = 64 * 1024
QUADRATIC: Final = 10.0
"""Four times the text costs about 4 times the CPU where work is linear, 16 times where it is quadratic."""
TRIES: Final = 5

UNITS: Final = (
    *(
        '"',
        '\\"',
        '"\\"',
        '""',
        "'",
        "\\",
        "[",
        "{",
        "(",
        '{"a":',
        "[[],",
        "[1",
        "{a: ",
        "a: [",
        "- - ",
        "? ",
    ),
    *(
        " ",
        "\t",
        "\n",
        "  \n",
        " a\n",
        "\x85",
        "\u2028",
        "é",
        "\U0001f600",
        "\ufeff",
        "a",
        "a_",
        "_",
        "@",
        "a@",
    ),
    *(
        "9",
        "9.",
        ".",
        "1e",
        "-",
        "1,",
        ",",
        ", ",
        " ,a",
        "=",
        "a=,",
        "path=",
        "<",
        ">",
        "!",
        "~",
        "%",
        "|",
        "W/",
    ),
    *(
        ": ",
        ";",
        "#",
        " for ",
        "for",
        "ratio(",
        "tps >= ",
        "tps = ",
        "tps = 1 (",
        "progress: ",
        " 50% ",
    ),
    *("progress: 1 s, 1 tps, lat 1 ms stddev 1", " Latency 1us ", "PLIMSOLL ", "Running 1s test @ "),
    *("Transfer/sec: 1B\n", "Percentage served,", "0,1\n"),
)
"""Repeated openers, spaces, quotes, digits, nested brackets, and near misses of what readers search for."""

HEADS: Final = ("", '"', '{"a": "', "a: ", 'a: "', "tps ", "tps >= 1", "ratio(tps", "1.", "tps = 1 (", "<a")
"""The text before the repeated unit."""


def superlinear(read: Callable[[str], object], length: int, heads: Sequence[str] = HEADS) -> list[str]:
    """The kinds of text on which work grows faster than their length, up to `length` characters.

    Compares the CPU time of a text with that of a quarter of it; a kind counts where each of TRIES pairs
    is beyond QUADRATIC. A refusal is an answer.
    """
    return [
        f"{head!r} + {unit!r} * {length // len(unit)}"
        for head in heads
        for unit in UNITS
        if _grows(read, head, unit, length)
    ]


def _grows(read: Callable[[str], object], head: str, unit: str, length: int) -> bool:
    repeats = length // len(unit)
    short = SHORT * max(1.0, length / SHORT_LENGTH)
    for _ in range(TRIES):
        whole = _cpu(read, head + unit * repeats)
        if whole <= short or whole <= QUADRATIC * _cpu(read, head + unit * (repeats // 4)):
            return False
    return True


def _cpu(read: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    try:
        read(text)
    except (PlimsollError, Failure, ValueError):
        return time.thread_time() - began
    return time.thread_time() - began
