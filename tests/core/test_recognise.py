"""Sentences of refusals, obstacles, warnings and notices are recognised by their templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from operator import itemgetter
from pathlib import Path

import pytest

from backend.core.messages import recognise as recogniser
from backend.core.messages.message import parts_of
from backend.core.messages.reasons import REASONS, TOPICS
from backend.core.messages.recognise import LONGEST, Recognised, recognise
from backend.core.sample import evidence_names
from backend.core.topology.model import Address, Device, Link, Namespace, Peer, Process, Relay

BACKEND = Path(__file__).parents[2] / "backend"
CALLS = frozenset(
    (
        *("NotFound", "Conflict", "Forbidden", "Invalid", "Unauthenticated", "Gone", "InUse", "Overloaded"),
        *("at", "Problem", "Obstacle", "Notice"),
    )
)
"""What is called with a sentence that a response shows."""
CONTINUED = frozenset(
    (
        "x1 comes from x1 and not from x1",  # the remedy follows by +=
        "the policy of this host: x1, x1",  # ASK is a constant
    )
)


@pytest.mark.parametrize("id_", REASONS)
def test_a_sentence_is_recognised_by_its_template(id_: str) -> None:
    names = re.findall(r"\{\{(\w+)\}\}", REASONS[id_])
    text = re.sub(r"\{\{(\w+)\}\}", lambda name: f"({names.index(name[1])})", REASONS[id_])
    found = recognise(text)
    if found is None:
        assert len(re.findall(r"[A-Za-z]", re.sub(r"\{\{\w+\}\}", "", REASONS[id_]))) < 4
    else:
        assert REASONS[found.id.removeprefix("reasons:")] == REASONS[id_] or found.figures


def test_an_id_is_in_one_topic_only() -> None:
    assert len(REASONS) == sum(map(len, TOPICS))


def test_a_figure_that_is_a_sentence_is_recognised_too() -> None:
    found = parts_of("c2 could not run: this host has no swarm Docker daemon; leave it out")
    assert found is not None
    assert found.model_dump() == {
        "id": "reasons:cellCouldNotRun",
        "figures": {"cell": "c2", "why": {"id": "reasons:noDaemon", "figures": {"kind": "swarm"}}},
    }


def test_the_template_that_explains_most_is_taken() -> None:
    assert recognise(
        "5 minutes hold no rounds of 4 cells, and 6 are needed for an interval. "
        "Use shorter windows and fewer levels."
    ) == (
        Recognised(
            "reasons:budgetNeeds",
            {
                "minutes": Recognised("reasons:countMinutes", {"n": "5"}),
                "held": Recognised("reasons:noRounds", {}),
                "cells": "4",
                "needed": "6",
                "what": Recognised("reasons:forInterval", {}),
                "would": Recognised("reasons:shorterWindows", {}),
            },
        )
    )


@pytest.mark.parametrize("text", ["", "42", "tests: x", "my own note; a second one", "a" * (LONGEST + 1)])
def test_other_texts_have_no_template(text: str) -> None:
    assert recognise(text) is None


def test_every_sentence_of_the_source_has_a_template() -> None:
    unknown = {
        f"{path.relative_to(BACKEND)}: {text}"
        for folder in ("api", "core", "store")
        for path in (BACKEND / folder).rglob("*.py")
        for text in _sentences(ast.parse(path.read_text()))
        if recognise(text) is None and text not in CONTINUED
    }
    assert unknown == set()


def _sentences(tree: ast.AST) -> Iterator[str]:
    """The sentences that a module's calls are given, with a name in place of each figure."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        assigned = [
            (node.lineno, target.id, node.value)
            for node in ast.walk(function)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ]
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and _name(call.func) in CALLS:
                named = {
                    name: value
                    for line, name, value in sorted(assigned, key=itemgetter(0))
                    if line < call.lineno
                }
                # The first argument of a notice is its kind, which the page names by the catalogue.
                for given in call.args[_name(call.func) == "Notice" :]:
                    yield from filter(_is_sentence, _texts(given, named))


def _name(called: ast.expr) -> str:
    return (
        called.id
        if isinstance(called, ast.Name)
        else called.attr
        if isinstance(called, ast.Attribute)
        else ""
    )


def _texts(given: ast.expr, named: Mapping[str, ast.expr]) -> Iterator[str]:
    """The texts that an expression can be; `named` are the values of the function's variables."""
    match given:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Name(id=name) if name in named:
            yield from _texts(named[name], {each: named[each] for each in named if each != name})
        case ast.IfExp(body=one, orelse=other):
            yield from chain(_texts(one, named), _texts(other, named))
        case ast.JoinedStr(values=parts):
            yield "".join(next(_texts(part, named), "x1") for part in parts)
        case ast.FormattedValue(value=value):
            yield from _texts(value, named)


def _is_sentence(text: str) -> bool:
    return len(re.findall(r"[a-z]{2,}", text)) > 2 and " " in text


SIGNALS = [text for name, text in vars(evidence_names).items() if name.isupper()]
BY_DEVICE = [*map(evidence_names.of_device, Device)]
BY_RELAY = [of(relay) for of in (evidence_names.of_cpu, evidence_names.of_sockets) for relay in Relay]
NAMES = frozenset(("macvlan", "ipvlan l2", "ipvlan l3"))
WORDS = {str(word).replace("_", " ") for words in (Namespace, Process, Link, Address, Peer) for word in words}


@pytest.mark.parametrize("text", [*SIGNALS, *BY_DEVICE, *BY_RELAY, *sorted(WORDS - NAMES)])
def test_signals_of_evidence_have_a_template(text: str) -> None:
    assert recognise(text) is not None


def test_a_text_full_of_separators_has_a_limited_number_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    best = recogniser._best

    def counted(text: str, depth: int, left: Iterator[int]) -> tuple[Recognised | None, int]:
        calls.append(text)
        return best(text, depth, left)

    monkeypatch.setattr(recogniser, "_best", counted)
    recognise("a: b; c, d (e) and f or g. " * 35 + "x")
    # Every part that is tried has at most one further one that is refused at once, for each figure.
    assert len([text for text in calls if text]) < 10 * recogniser.MOST_PARTS
