"""Every output says a difference where a value is zero: in its unit, with its interval and verdict."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.core.definition.metrics import METRICS
from tests.core.export.zeros import OUTPUTS, SENT_AGAIN, Zeros

NONE: Final = (0.0,) * 8
PAIRS: Final = {
    "zero baseline": (NONE, SENT_AGAIN),
    "zero change": (SENT_AGAIN, NONE),
    "both zero": (NONE, NONE),
}
CASES: Final = {name: Zeros("retransmits", *values) for name, values in PAIRS.items()}
JUDGED: Final = [name for name in OUTPUTS if name != "CSV by trial"]
"""Outputs of single trials compare nothing."""
CAN_BE_ZERO: Final = [
    name
    for name, metric in METRICS.items()
    if metric.unit not in ("1/s", "Gbit/s") and not metric.needs_rate and "latency" not in name
]
NO_FIGURE: Final = re.compile(
    r"(?<![\w\"'])(?:inf|infinity|nan)(?![\w\"'])|(?:^|[\s|;,>\"])\?(?=$|[\s|;,<\"])", re.IGNORECASE
)
OWN: Final = r"[+−-]?1,?(?:096|095\.5|121)\b"
"""The Hodges-Lehmann difference of the two paths, or of two runs of one path."""


def without_remarks(name: str, text: str) -> str:
    """The text without the lines of benchstat's file that explain its own question mark."""
    return "\n".join(line for line in text.split("\n") if name != "benchstat" or 'prints "?"' not in line)


@pytest.mark.parametrize("name", JUDGED)
@pytest.mark.parametrize("case", ["zero baseline", "zero change"])
def test_a_difference_from_or_to_zero_has_size_interval_and_verdict(name: str, case: str) -> None:
    text = OUTPUTS[name](CASES[case])
    assert NO_FIGURE.search(text) is None, NO_FIGURE.search(text)
    assert re.search(OWN, text), text
    assert "914" in text and re.search(r"1,?27[24]", text)
    if name != "hosts, picture":  # its interval says it: it draws no verdict of any cell
        assert re.search(r"higher|lower|better|worse|▲|▼", text)


@pytest.mark.parametrize("name", JUDGED)
def test_zero_on_both_sides_is_equivalent(name: str) -> None:
    text = OUTPUTS[name](CASES["both zero"])
    assert NO_FIGURE.search(text) is None, NO_FIGURE.search(text)
    assert re.search(r"equal|equivalent|No cell differs|≈|0 segments \[0, 0\]", text, re.IGNORECASE)


@pytest.mark.parametrize("name", [name for name in OUTPUTS if "ratios" in name and "picture" not in name])
@pytest.mark.parametrize("case", PAIRS)
def test_each_side_of_a_comparison_of_ratios_has_its_difference_to_its_own_baseline(
    name: str, case: str
) -> None:
    text = OUTPUTS[name](CASES[case])
    expected = {"zero baseline": "1,?09[56]", "zero change": "1,?09[56]", "both zero": r"\b0"}[case]
    assert re.search(expected, text)
    assert "–, n 8" not in text and not re.search(r"  –  ", text)


@pytest.mark.parametrize("metric", CAN_BE_ZERO)
@pytest.mark.parametrize("case", PAIRS)
def test_no_output_has_an_empty_figure_of_any_metric_that_can_be_zero(metric: str, case: str) -> None:
    zeros = Zeros(metric, *PAIRS[case])
    compared = zeros.model.cells[-1].comparisons[metric]
    assert (compared.verdict, compared.difference is not None) == (
        {"zero baseline": "worse", "zero change": "better", "both zero": "equivalent"}[case],
        True,
    )
    for name, write in OUTPUTS.items():
        text = without_remarks(name, write(zeros))
        assert NO_FIGURE.search(text) is None, (name, NO_FIGURE.search(text))


values = st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-3, 1e6)) for _ in range(8)])


@settings(max_examples=8, deadline=None)
@given(metric=st.sampled_from(CAN_BE_ZERO), baseline=values, changed=values)
def test_no_output_has_an_empty_figure_of_values_that_are_sometimes_zero(
    metric: str, baseline: tuple[float, ...], changed: tuple[float, ...]
) -> None:
    zeros = Zeros(metric, baseline, changed)
    for name, write in OUTPUTS.items():
        text = without_remarks(name, write(zeros))
        assert NO_FIGURE.search(text) is None, (name, NO_FIGURE.search(text))
