"""The fixed sentences, word by word."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.core.definition.metrics import METRICS
from backend.core.statistics.paired import METHOD, Bounds, RatioEstimate
from backend.core.statistics.verdict import (
    VerdictKind,
    changed,
    is_multiple,
    multiples,
    percent,
    spread,
    undefined,
    verdict,
)


def estimate(ratio: float, interval: Bounds | None, interval_90: Bounds | None) -> RatioEstimate:
    return RatioEstimate(10, ratio, interval, interval_90, 0.002, METHOD)


SLOWER = estimate(0.8266, (0.8202, 0.8338), (0.8211, 0.8329))
FASTER = estimate(1.25, (1.2, 1.3), (1.21, 1.29))
CLOSE = estimate(1.02, (1.01, 1.03), (1.012, 1.028))
MANY = estimate(210.09, (200.4, 219.6), (201.0, 219.0))
TEN = estimate(10.0, (9.87, 10.13), (9.9, 10.1))
WIDE = estimate(0.99, (0.92, 1.034), (0.93, 1.02))


@pytest.mark.parametrize(
    ("metric", "found", "p_holm", "kind", "sentence"),
    [
        ("tps", SLOWER, 0.01, "worse", "b is 17.3 % slower (95 % CI −18.0 % to −16.6 %)"),
        ("tps", FASTER, 0.05, "better", "b is 25.0 % faster (95 % CI +20.0 % to +30.0 %)"),
        ("cpu_us_per_txn", SLOWER, 0.01, "better", "b is 17.3 % lower (95 % CI −18.0 % to −16.6 %)"),
        ("cpu_us_per_txn", FASTER, 0.01, "worse", "b is 25.0 % higher (95 % CI +20.0 % to +30.0 %)"),
        ("latency_avg_ms", FASTER, 0.01, "worse", "b is 25.0 % higher (95 % CI +20.0 % to +30.0 %)"),
        ("tps", TEN, 0.01, "better", "b is 10.00 times as fast (95 % CI 9.87 to 10.13 times)"),
        ("latency_avg_ms", MANY, 0.01, "worse", "b is 210 times as high (95 % CI 200 to 220 times)"),
        (
            "tps",
            MANY,
            0.06,
            "no_difference_shown",
            "No answer: differences between 200× and 220× remain possible",
        ),
        (
            "tps",
            CLOSE,
            0.01,
            "different_within_margin",
            "Equal: the difference is smaller than your 5 % margin",
        ),
        ("tps", CLOSE, 0.06, "equivalent", "Equal within 5 %"),
        (
            "tps",
            WIDE,
            0.6,
            "no_difference_shown",
            "No answer: differences between −8.0 % and +3.4 % remain possible",
        ),
        (
            "tps",
            FASTER,
            0.051,
            "no_difference_shown",
            "No answer: differences between +20.0 % and +30.0 % remain possible",
        ),
    ],
)
def test_sentences(
    metric: str, found: RatioEstimate, p_holm: float, kind: VerdictKind, sentence: str
) -> None:
    decided = verdict(METRICS[metric], "b", found, p_holm, 0.05, None)
    assert (decided.kind, decided.sentence) == (kind, sentence)


def test_the_sentence_of_a_member_names_its_family() -> None:
    said = [
        verdict(METRICS["tps"], "b", replace(found, family=6), p, 0.05, None).sentence
        for found, p in ((SLOWER, 0.01), (CLOSE, 0.01), (CLOSE, 0.06), (WIDE, 0.6))
    ]
    assert said == [
        "b is 17.3 % slower (95 % simultaneous CI of 6 comparisons −18.0 % to −16.6 %)",
        "Equal: the difference is smaller than your 5 % margin (simultaneous, of 6 comparisons)",
        "Equal within 5 % (simultaneous, of 6 comparisons)",
        "No answer: differences between −8.0 % and +3.4 % remain possible "
        "(95 % simultaneous CI of 6 comparisons)",
    ]


def test_too_few_rounds_come_before_everything() -> None:
    decided = verdict(METRICS["tps"], "b", SLOWER, 0.001, 0.05, 8)
    assert decided.kind == "not_enough_rounds"
    assert decided.sentence == "No answer: too few rounds (needs n ≥ 8)"


def test_a_small_p_whose_interval_holds_1_is_no_difference() -> None:
    assert verdict(METRICS["tps"], "b", WIDE, 0.01, 0.05, None).kind == "no_difference_shown"


def test_the_margin_is_the_users() -> None:
    assert verdict(METRICS["tps"], "b", WIDE, 0.6, 0.125, None).sentence == "Equal within 12.5 %"


def test_undefined() -> None:
    assert undefined("a median is zero").sentence == "No answer (a median is zero)"
    assert undefined("x").kind == "undefined"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(1, "0 %"), (1.0001, "0 %"), (0.827, "−17.3 %"), (1.5, "+50.0 %"), (12.0, "12×"), (2.0, "+100 %")],
)
def test_percent(ratio: float, text: str) -> None:
    assert percent(ratio) == text


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        ((1.984, 2.013), "+98.4 % to +101.3 %"),
        ((1.003, 2.5), "+0.3 % to +150.0 %"),
        ((2.0, 2.5), "+100 % to +150 %"),
        ((0.5, 0.6), "−50.0 % to −40.0 %"),
        ((1.0, 1.0), "0 % to 0 %"),
    ],
)
def test_both_ends_of_an_interval_have_the_same_decimals(interval: Bounds, text: str) -> None:
    assert spread(interval) == text


@pytest.mark.parametrize(
    ("ratios", "texts"),
    [
        ((2.79, 2.64, 2.916), ("2.79", "2.64", "2.92")),
        ((0.00398, 0.00396, 0.004), ("0.0040", "0.0040", "0.0040")),
        ((0.0422,), ("0.042",)),
        ((13.05, 9.8, 20.0), ("13.05", "9.80", "20.00")),
        ((20_909.0, 20_000.0, 21_500.4), ("20,909", "20,000", "21,500")),
        ((1e-20, 1e12), ("1e-20", "1e+12")),
    ],
)
def test_multiples_keep_their_digits(ratios: tuple[float, ...], texts: tuple[str, ...]) -> None:
    assert multiples(*ratios) == texts


def test_a_ratio_of_ten_or_more_is_a_multiple_and_no_percentage() -> None:
    assert percent(9.5) == "+850 %"
    assert percent(955.451) == "960×"
    assert spread((0.001, 955.451)) == "−99.9 % to 960×"
    assert spread((0.5, 3e12)) == "−50.0 % to 3e+12×"


BORDERS = (10.0, 2.0, 1.0, 0.5, 0.1, 100.0, 1000.0)


@pytest.mark.parametrize("ratio", BORDERS)
@pytest.mark.parametrize("last_digits", [-1e-15, -4e-16, 0.0, 4e-16, 1e-12, -1e-12, 1e-9, -1e-9])
def test_the_last_digits_of_a_ratio_choose_no_other_words(ratio: float, last_digits: float) -> None:
    """Estimates are exponentials of rounded logarithms: a ratio of 10 may be 9.999999999999998."""
    metric, near = METRICS["tps"], ratio * (1 + last_digits)
    assert percent(near) == percent(ratio)
    assert multiples(near) == multiples(ratio)
    assert changed(metric, near, None) in (changed(metric, ratio, None), "0 % faster", "0 % slower")
    for low in (0.5, 1.5, 3.0):
        assert spread((low, near)) == spread((low, ratio))


@pytest.mark.parametrize(
    ("ratio", "change", "size"),
    [
        (9.994, "+899 %", "899 % faster"),
        (9.9951, "10×", "10.0 times as fast"),
        (9.999999999999998, "10×", "10.0 times as fast"),
        (10.0, "10×", "10.0 times as fast"),
        (10.04, "10×", "10.0 times as fast"),
        (1.9994, "+99.9 %", "99.9 % faster"),
        (1.9996, "+100 %", "100 % faster"),
        (2.0, "+100 %", "100 % faster"),
        (0.5, "−50.0 %", "50.0 % slower"),
        (0.1, "−90.0 %", "90.0 % slower"),
        (0.0006, "−99.9 %", "99.9 % slower"),
        (0.0004, "−99.96 %", "99.96 % slower"),
        (0.000004, "−99.9996 %", "99.9996 % slower"),
        (0.0, "−100 %", "100 % slower"),
    ],
)
def test_around_the_borders(ratio: float, change: str, size: str) -> None:
    assert percent(ratio) == change
    assert changed(METRICS["tps"], ratio, None) == size


@given(st.floats(1e-5, 1e6))
def test_a_ratio_is_a_change_below_900_percent_or_a_multiple_of_ten(ratio: float) -> None:
    text = percent(ratio)
    if text.endswith("×"):
        assert is_multiple(ratio) and float(text[:-1].replace(",", "")) >= 10
    else:
        change = float(text.removesuffix(" %").replace("−", "-").replace(",", ""))
        assert not is_multiple(ratio) and -100 < change < 900


def test_an_interval_whose_end_is_ten_states_it_once() -> None:
    assert spread((1.5, 9.999999999999998)) == spread((1.5, 10.0)) == "+50.0 % to 10×"
