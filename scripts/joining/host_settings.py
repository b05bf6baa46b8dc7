"""Settings of a joined host, kept below var/enrolment: its unit inherits nothing from scripts/join."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from scripts.joining.enrolment import FOLDER
from scripts.starter.environment import OF_THE_HOST, OF_THE_OPERATOR
from scripts.starter.private import write_private
from scripts.starter.terminal import Refusal

KEPT: Final = OF_THE_HOST + OF_THE_OPERATOR
FILE: Final = "settings.json"


def keep(var: Path) -> None:
    """Keep those that the environment has; an empty one is removed, and what it does not have stays."""
    known = _read(var)
    for name in KEPT:
        given = os.environ.get(f"PLIMSOLL_{name}")
        if given:
            known[name] = given
        elif given is not None:
            known.pop(name, None)
    file = var / FOLDER / FILE
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_private(file, (json.dumps(known, indent=1, sort_keys=True) + "\n").encode())


def load(var: Path) -> None:
    """Set those that are kept in this process's environment, unless it has them."""
    for name, value in _read(var).items():
        os.environ.setdefault(f"PLIMSOLL_{name}", value)


def text(var: Path) -> str:
    """The kept ones as they are stored; a unit that runs with others is started again."""
    return json.dumps(_read(var), sort_keys=True)


def _read(var: Path) -> dict[str, str]:
    file = var / FOLDER / FILE
    if not file.exists():
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {name: str(found[name]) for name in KEPT if name in found}
    except (OSError, ValueError, TypeError) as error:
        raise Refusal(f"{file} is damaged ({error}): remove it, and run scripts/join again") from None
