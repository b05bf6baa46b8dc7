"""Every code of a problem document has a page that explains it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from backend.api.problems.texts import EXPLAINED, PROBLEMS, find
from tests.api.client import problem_of
from tests.services import ROOT

CODE_ARGUMENT = {
    "at": 1,
    "Problem": 1,
    "Obstacle": 1,
    "problem": 2,
    "PydanticCustomError": 0,
    "Forbidden": 0,
    "DeviceFlowRefused": 0,
    "Conflict": 1,
    "_gone": 0,
    "_malformed": 0,
    "repeated": 1,
}
"""Calls that take a code, and its position."""
DYNAMIC = (
    {f"unknown_{name}" for name in ("metric", "kind", "scale", "unit", "factor", "field")}
    | {f"{what}_not_in_levels" for what in ("baseline", "exclude")}
    | {"unknown_level", "bad_form", "out_of_bounds", "wrong_type", "empty", "too_many", "too_long"}
)
"""Codes that are put together at run time."""
NO_CODE = {"c", "quota"}


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from constants(value)


def codes(tree: ast.AST) -> Iterator[str]:
    """The codes that a module gives to problems and errors."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            position = CODE_ARGUMENT.get(name)
            if position is not None and len(node.args) > position:
                yield from constants(node.args[position])
            if position is not None:
                yield from (c for k in node.keywords if k.arg == "code" for c in constants(k.value))
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in [node.target] if isinstance(node, ast.AnnAssign) else targets:
            name = getattr(target, "id", None) or getattr(target, "attr", "")
            if name in ("code", "_CODES", "_HTTP_CODES") and node.value is not None:  # type: ignore[attr-defined]
                yield from constants(node.value)  # type: ignore[attr-defined]


def raised() -> dict[str, Path]:
    return {
        code: path
        for path in sorted((ROOT / "backend").rglob("*.py"))
        for code in codes(ast.parse(path.read_text(encoding="utf-8")))
        if code.replace("_", "").isalpha() and code.islower() and code not in NO_CODE
    }


def test_every_code_that_the_backend_raises_has_a_row() -> None:
    found = raised()
    assert len(found) > 100 and {"quota_exceeded", "path_not_possible", "share_expired"} <= found.keys()
    missing = {code: str(path) for code, path in found.items() if code not in PROBLEMS}
    assert missing == {}
    assert PROBLEMS.keys() >= DYNAMIC


def test_every_explained_code_is_raised() -> None:
    """Codes that came or go with other parts of the product are named here."""
    known = raised().keys() | DYNAMIC | {"missing"}
    assert [each.code for each in EXPLAINED if each.code not in known] == []


def test_each_has_a_page_and_a_document(api: TestClient) -> None:
    for each in PROBLEMS.values():
        assert find(each.path.removeprefix("/problems/")) == each
        page = api.get(each.path, headers={"Accept": "text/html,application/xhtml+xml"})
        assert page.status_code == 200 and page.headers["content-type"].startswith("text/html")
        assert f"<h1>{each.title}</h1>" in page.text
        found = api.get(each.path, headers={"Accept": "application/json"}).json()
        assert found == {
            "type": each.path,
            "code": each.code,
            "title": each.title,
            "cause": each.cause,
            "remedy": each.remedy,
        }
        assert each.cause.endswith(".") and each.remedy.endswith(".")
    listed = api.get("/problems", headers={"Accept": "application/json"}).json()["data"]
    assert [row["code"] for row in listed] == [each.code for each in EXPLAINED]
    assert "quota_exceeded" in api.get("/problems").text
    assert api.head("/problems/quota-exceeded").status_code == 200


def test_the_type_of_a_problem_document_opens(api: TestClient) -> None:
    problem = problem_of(api.get("/api/v1/runs/run_x"), 404, "not_found")
    assert api.get(problem["type"], headers={"Accept": "application/json"}).json()["code"] == "not_found"


@pytest.mark.parametrize("name", ["nothing", "quota_exceeded", "QUOTA-EXCEEDED", "%00", "quota-exceeded/x"])
def test_an_unknown_type_is_a_404(api: TestClient, name: str) -> None:
    assert api.get(f"/problems/{name}").status_code == 404
