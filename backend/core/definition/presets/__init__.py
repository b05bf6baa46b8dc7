"""Ready-made experiments. Each is a document beside this file, as a user would write it.

This is the only place in the core that reads files: the package's own data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal, NotRequired

from pydantic import TypeAdapter
from typing_extensions import TypedDict

from backend.core.definition.document_parser import parse_document
from backend.core.definition.experiment import Experiment
from backend.core.definition.submitted import read_submitted


@dataclass(frozen=True)
class Preset:
    """One ready-made experiment; `form` is "full" for the whole study, "quick" for a short version of it.

    `full_form` is the name of the full preset of the same `question`.
    """

    name: str
    title: str
    question: str
    summary: str
    study: str | None
    form: Literal["full", "quick"]
    full_form: str
    experiment: Experiment


class _Entry(TypedDict):
    name: str
    summary: str
    question: NotRequired[str]
    quick_form_of: NotRequired[str]


@cache
def presets() -> tuple[Preset, ...]:
    """Every preset, in the order in which they are offered."""
    return tuple(_preset(entry) for entry in _entries())


@cache
def summaries() -> dict[str, str]:
    """The summary of each preset by its name; reads no preset."""
    return {entry["name"]: entry["summary"] for entry in _entries()}


def document_text(name: str) -> str:
    """The document of a preset as its file has it, with comments. Raises KeyError for an unknown name."""
    if name not in summaries():
        raise KeyError(name)
    return _text(name)


def _entries() -> list[_Entry]:
    return TypeAdapter(list[_Entry]).validate_python(parse_document(_text("index"), "yaml"))


def _text(name: str) -> str:
    return resources.files(__name__).joinpath(f"{name}.yaml").read_text("utf-8")


def _preset(entry: _Entry) -> Preset:
    experiment = read_submitted(_text(entry["name"]), "yaml")
    name, full_form = entry["name"], entry.get("quick_form_of")
    form: Literal["full", "quick"] = "full" if full_form is None else "quick"
    return Preset(
        name=name,
        title=experiment.title,
        question=_questions()[full_form or name],
        summary=entry["summary"],
        study=experiment.study,
        form=form,
        full_form=full_form or name,
        experiment=experiment,
    )


def _questions() -> dict[str, str]:
    """The question of each full preset by its name."""
    return {entry["name"]: entry["question"] for entry in _entries() if "question" in entry}
