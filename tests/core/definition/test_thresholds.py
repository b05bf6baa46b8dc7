"""Parsing of thresholds, and the sentence that refuses an invalid one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.factors import FACTORS
from backend.core.definition.thresholds import Threshold, parse_level, parse_levels, parse_threshold


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tps >= 20000", ("tps", False, ">=", 20000.0, {})),
        ("  cpu_us_per_txn<30 ", ("cpu_us_per_txn", False, "<", 30.0, {})),
        ("ratio(tps, baseline) >= 0.95", ("tps", True, ">=", 0.95, {})),
        ("ratio( tps ,baseline )>9.5e-1", ("tps", True, ">", 0.95, {})),
        ("lost_percent <= 0", ("lost_percent", False, "<=", 0.0, {})),
        (
            "ratio(rps, baseline) <= 1.5 for path=published_loopback, userland_proxy=true,clients = 8",
            ("rps", True, "<=", 1.5, {"path": "published_loopback", "userland_proxy": True, "clients": 8}),
        ),
        (
            "tps > .5 for server_cpuset=0-1,3, client_cpuset=",
            ("tps", False, ">", 0.5, {"server_cpuset": "0-1,3", "client_cpuset": ""}),
        ),
    ],
)
def test_a_threshold_is_parsed(text: str, expected: tuple[object, ...]) -> None:
    found = parse_threshold(text)
    assert (found.metric, found.of_ratio, found.operator, found.bound, found.levels) == expected
    assert found.text == text.strip()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "write METRIC >= NUMBER"),
        ("tps", "write METRIC >= NUMBER"),
        (">= 3", "write METRIC >= NUMBER"),
        ("tp >= 3", "unknown metric “tp”; did you mean tps"),
        ("zzzz >= 3", "the metrics are tps, rps"),
        ("ratio(tpss, baseline) >= 1", "did you mean tps"),
        ("ratio(tps) >= 1", "write ratio(tps, baseline)"),
        ("ratio(tps, c1) >= 1", "write ratio(tps, baseline)"),
        ("ratio tps >= 1", "write ratio(METRIC, baseline)"),
        ("tps == 3", "use one of >= > <= <"),
        ("tps = 3", "use one of >= > <= <"),
        ("tps =< 3", "use one of >= > <= <"),
        ("tps > = 3", "is not a number"),
        ("tps >= ", "is not a number"),
        ("tps >= nan", "is not a number"),
        ("tps >= inf", "is not a number"),
        ("tps >= 1e999", "finite"),
        ("tps >= 20,000", "thousands separator"),
        ("tps >= 1_000", "is not a number"),
        ("tps >= ١", "is not a number"),
        ("tps >= 5 %", "without unit"),
        ("tps >= -3", "0 or more"),
        ("ratio(tps, baseline) >= 0", "a ratio must be above 0"),
        ("ratio(tps, baseline) >= -0.95", "a ratio must be above 0"),
        ("ratio(tps, baseline) >= 0.95 confidence 0.95", "the 95 % interval"),
        ("tps >= 3 for", "factor=level"),
        ("tps >= 3 for path", "factor=level"),
        ("tps >= 3 for pth=unix_socket", "unknown factor “pth”; did you mean path"),
        ("tps >= 3 for path=nowhere", "use one of same_container"),
        ("tps >= 3 for userland_proxy=on", "use one of true, false"),
        ("tps >= 3 for clients=0", "from 1 to 200"),
        ("tps >= 3 for clients=eight", "from 1 to 200"),
        ("tps >= 3 for server_cpuset=all", "for example 0-1"),
        ("tps >= 3 for clients=8, clients=9", "occurs twice"),
        ("tps >= \ud800", "is not a number"),
        ("tps" + " " * 198, "has 201 characters, a threshold 200 at most"),
        ("ratio(tps, (baseline)) >= 1", "write ratio(METRIC, baseline)"),
        ("tps >= 3 forpath=a", "is not a number"),
        ("tps >= 3 for for", "factor=level"),
    ],
)
def test_an_invalid_threshold_is_refused_with_what_is_allowed(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        parse_threshold(text)
    assert expected in str(refused.value)
    str(refused.value).encode("utf-8")


def test_levels_of_a_cell_have_a_length() -> None:
    with pytest.raises(ValueError, match="the levels of a cell 4,000 at most"):
        parse_levels("path=unix_socket," * 1000)


@given(st.text(max_size=60) | st.text(alphabet="tpsraio(,)bel n>=<0.95fk", max_size=40))
def test_any_text_is_a_threshold_or_refused_with_a_sentence(text: str) -> None:
    try:
        assert isinstance(parse_threshold(text), Threshold)
    except ValueError as refused:
        assert str(refused) and len(str(refused)) < 900


@pytest.mark.parametrize(
    ("operator", "below", "at", "above"),
    [
        (">=", False, True, True),
        (">", False, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
    ],
)
def test_a_value_meets_a_threshold_by_its_operator(operator: str, below: bool, at: bool, above: bool) -> None:
    threshold = parse_threshold(f"tps {operator} 3")
    assert [threshold.holds(value) for value in (2.9, 3.0, 3.1)] == [below, at, above]


def test_a_cell_is_concerned_by_its_levels() -> None:
    threshold = parse_threshold("tps >= 3 for clients=8")
    assert threshold.concerns({"clients": 8, "path": "unix_socket"})
    assert not threshold.concerns({"clients": 4}) and not threshold.concerns({"path": "unix_socket"})


def test_every_default_level_reads_back() -> None:
    for factor in FACTORS.values():
        text = str(factor.default).lower() if isinstance(factor.default, bool) else str(factor.default)
        assert parse_level(factor, text) == factor.default
