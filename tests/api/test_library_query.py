"""The grammar of a search: conditions, and problems that name the term."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.api.library.query import CHOICES, KEYS, MAX_TERMS, parse
from backend.store.repositories.library import Condition

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "condition"),
    [
        ("Proxy", Condition("text", ("proxy",))),
        ('"Chatty Database"', Condition("text", ("chatty database",))),
        ('-"x:y"', Condition("text", ("x:y",), True)),
        ("path:nginx_stream", Condition("term", ("path:nginx_stream",))),
        ("PATH:Nginx_Stream,bridge*", Condition("term", ("path:nginx_stream", "path:bridge*"))),
        ("clients:16", Condition("term", ("clients:16",))),
        ("userland_proxy:off", Condition("term", ("userland_proxy:false",))),
        ('server_cpuset:"0,1"', Condition("term", ("server_cpuset:0,1",))),
        ("-tag:ci", Condition("term", ("tag:ci",), True)),
        ("host:bench-*", Condition("term", ("host:bench-*",))),
        ("verdict:worse,failed", Condition("term", ("verdict:worse", "verdict:failed"))),
        ("state:done", Condition("state", ("done",))),
        ("is:starred", Condition("is", ("starred",))),
        ('author:"Ada L"', Condition("author", ("ada l",))),
        ("after:2026-05-01", Condition("after", (), at=datetime(2026, 5, 1, tzinfo=UTC))),
        ("-after:2026-05-01", Condition("before", (), at=datetime(2026, 5, 1, tzinfo=UTC))),
        ("before:7d", Condition("before", (), at=datetime(2026, 11, 16, 12, tzinfo=UTC))),
    ],
)
def test_one_term(query: str, condition: Condition) -> None:
    found = parse(query, NOW)
    assert (found.conditions, found.problems) == ((condition,), ())


def test_several_terms_in_order() -> None:
    found = parse('is:starred host:bench-1  verdict:worse after:2026-05-01 "chatty database"', NOW)
    assert [one.field for one in found.conditions] == ["is", "term", "term", "after", "text"]


@pytest.mark.parametrize(
    ("term", "code", "choice"),
    [
        ("colour:red", "unknown_key", "is:"),
        ("pth:x", "unknown_key", None),
        ("path:nginx_strem", "unknown_value", "nginx_stream"),
        ("verdict:slower", "unknown_value", "worse"),
        ("is:done,starred", "unknown_value", "ended"),
        ("after:yesterday", "bad_date", None),
        ("before:99999-01-01", "bad_date", None),
        ("state:", "empty_value", "queued"),
        ("-host:", "empty_value", None),
        ('"open', "open_quote", None),
        ('tag:"', "open_quote", None),
    ],
)
def test_a_term_that_is_not_understood_is_named_and_the_rest_applies(
    term: str, code: str, choice: str | None
) -> None:
    found = parse(f"proxy {term}", NOW)
    assert [one.field for one in found.conditions] == ["text"]
    (problem,) = found.problems
    assert (problem.term, problem.code) == (term, code)
    assert problem.detail and (choice is None or choice in problem.choices)


def test_at_most_so_many_terms() -> None:
    found = parse(" ".join(f"w{number}" for number in range(40)), NOW)
    assert len(found.conditions) == MAX_TERMS
    assert [(one.term, one.code) for one in found.problems] == [(f"w{MAX_TERMS}", "too_many")]


@given(st.text(max_size=80))
def test_any_text_is_parsed(query: str) -> None:
    found = parse(query, NOW)
    assert all(one.values or one.at for one in found.conditions)
    assert all(one.term in query for one in found.problems)


@given(st.sampled_from(KEYS), st.text(alphabet="abc019*,_-:.", min_size=1, max_size=12))
def test_any_value_is_a_condition_or_a_problem(key: str, value: str) -> None:
    found: Any = parse(f"{key}:{value}", NOW)
    assert len(found.conditions) + len(found.problems) == 1
    if key in CHOICES and found.conditions and "*" not in value:
        assert set(value.split(",")) - {""} <= set(CHOICES[key])
