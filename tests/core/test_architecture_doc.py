"""docs/architecture.md names every package, in the order of the import contracts."""

from __future__ import annotations

import configparser
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECTIONS = re.split(
    r"^(?=## |`backend.core`, |`worker`, )", (ROOT / "docs/architecture.md").read_text(), flags=re.M
)


def layers(contract: str, prefix: str = "") -> list[set[str]]:
    """The layers of a contract of .importlinter, highest first."""
    config = configparser.ConfigParser()
    config.read(ROOT / ".importlinter")
    lines = config[f"importlinter:contract:{contract}"]["layers"].split("\n")
    return [{prefix + name.strip() for name in re.split("[|:]", line)} for line in lines if line.strip()]


def table(heading: str) -> list[set[str]]:
    """The packages of each row of the table below a heading."""
    text = next(section for section in SECTIONS if section.startswith(heading))
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", text, re.M)
    assert [int(number) for number, _ in rows] == [*range(1, len(rows) + 1)]
    return [set(re.findall(r"`([\w.]+)`", names)) for _, names in rows]


def packages(folder: str) -> set[str]:
    """The packages that a folder contains."""
    return {
        f"{folder.replace('/', '.')}.{path.stem}"
        for path in (ROOT / folder).iterdir()
        if (path / "__init__.py").exists()
    }


@pytest.mark.parametrize(
    ("heading", "contract", "prefix"),
    [
        ("## Who imports whom", "layers", ""),
        ("`backend.core`, ", "core", "backend.core."),
        ("`worker`, ", "worker", "worker."),
    ],
)
def test_the_tables_have_the_layers_of_the_import_contracts(heading: str, contract: str, prefix: str) -> None:
    assert table(heading) == layers(contract, prefix)


@pytest.mark.parametrize("folder", ["backend", "backend/core", "worker"])
def test_every_package_is_named(folder: str) -> None:
    named = set(re.findall(r"`([\w.]+)`", (ROOT / "docs/architecture.md").read_text()))
    assert packages(folder) - named == set()


def test_the_drawing_of_the_stages_has_their_order() -> None:
    drawing = next(section for section in SECTIONS if section.startswith("## Stages")).split("```")[1]
    stages = re.findall(r"^  ([a-z]+)  ", drawing, re.M)
    assert [{f"backend.core.{stage}"} for stage in reversed(stages)] == layers("core", "backend.core.")[:-2]
