"""`plimsoll stats`: two files of numbers, no server."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backend.cli.failure import Failure
from backend.cli.number_files import parse_numbers
from backend.cli.two_samples import Design, compare_samples
from backend.core.statistics.paired import paired_ratio
from tests.api.command import Command
from tests.services import ROOT

V1 = (
    [1726, 1723, 1707, 1707, 1713, 1729, 1736, 1707, 1705, 1774],
    [1423, 1416, 1411, 1413, 1412, 1426, 1422, 1424, 1447, 1425],
)
V2 = (
    [3069, 3075, 3069, 3067, 3207, 3064, 3064, 3058, 3059, 3062],
    [3075, 3065, 3059, 3065, 3060, 3081, 3186, 3135, 3087, 3062],
)
Files = Callable[..., tuple[str, str]]


@pytest.fixture
def plimsoll(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command where no server is."""
    monkeypatch.setenv("PLIMSOLL_URL", "http://127.0.0.1:9")
    return Command(capsys, monkeypatch)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Two files with these numbers, or these texts."""

    def write(*contents: Any) -> tuple[str, str]:
        names = ("baseline.txt", "candidate.txt")
        for name, content in zip(names, contents, strict=True):
            text = content if isinstance(content, str) else "".join(f"{value}\n" for value in content)
            (tmp_path / name).write_text(text)
        return str(tmp_path / names[0]), str(tmp_path / names[1])

    return write


def test_benchstats_p_is_printed_if_it_differs(plimsoll: Command, files: Files) -> None:
    lopsided = files([2, 2, 1, 2, 1], [1, 1, 1])
    found = json.loads(plimsoll("stats", *lopsided, "--json"))
    assert found["p_permutation"] == pytest.approx(11 / 56)
    message = plimsoll("stats", *lopsided)
    assert "the permutation p is 0.196" in message and "not a valid p" in message
    assert f"prints p={found['p_benchstat']:.3f}" in message
    assert "benchstat" not in plimsoll("stats", *files(*V1))


def test_the_first_golden_vector(plimsoll: Command, files: Files) -> None:
    found = json.loads(plimsoll("stats", *files(*V1), "--json"))
    assert list(found) == [
        "baseline",
        "candidate",
        "ratio",
        "p",
        "p_benchstat",
        "method",
        "verdict",
        "warnings",
        "difference",
        "change_percent",
        "p_permutation",
    ]
    assert found["difference"] is None
    assert found["change_percent"] == pytest.approx(-17.2, abs=0.01)
    assert found["p"] == pytest.approx(found["p_benchstat"], rel=1e-9)
    assert found["baseline"] == {"n": 10, "median": 1718, "interval": [1707, 1736]}
    assert found["candidate"] == {"n": 10, "median": 1422.5, "interval": [1412, 1426]}
    assert list(found["ratio"]) == ["estimate", "interval", "interval_90"]
    assert found["ratio"]["estimate"] == pytest.approx(0.826608, abs=5e-7)
    assert found["ratio"]["interval"] == pytest.approx([0.819501, 0.833626], abs=5e-7)
    assert found["p"] == pytest.approx(1.08250882245e-05, rel=1e-11)
    assert found["verdict"] == "candidate is 17.3 % slower (95 % CI −18.0 % to −16.6 %)"
    assert found["warnings"] == [] and "Mann-Whitney" in found["method"]


@pytest.mark.parametrize(
    ("samples", "p", "verdict"),
    [
        (V2, 0.44610188573, "Equal within 5 %"),
        (([1, 2, 3, 4], [5, 6, 7, 8]), 0.0285714285714, "candidate is 1"),
        (([1, 2, 3], [4, 5, 6]), 0.1, "No answer: too few rounds (needs n ≥ 4)"),
        (([10, 11, 12, 13, 14], [11, 12, 13, 14, 15]), 0.444444444444, "No answer: differences"),
        (([5] * 6, [5] * 6), 1.0, "Equal within 5 %"),
        (
            ([0] * 6, [1, 2, 3, 4, 5, 6]),
            0.0021645021645,
            "candidate is 3.5 higher (95 % CI +1 to +6): better",
        ),
    ],
)
def test_more_golden_vectors(plimsoll: Command, files: Files, samples: Any, p: float, verdict: str) -> None:
    found = json.loads(plimsoll("stats", *files(*samples), "--json"))
    assert found["p_permutation"] == pytest.approx(p, rel=1e-11)
    assert found["verdict"].startswith(verdict)


def test_p_is_that_by_which_the_verdict_is_judged(plimsoll: Command, files: Files) -> None:
    """Ties count against a difference: the permutation p alone would call this one shown."""
    both = files([1, 2, 3, 4, 5, 5], [5, 5, 5, 6, 7, 8])
    found = json.loads(plimsoll("stats", *both, "--json"))
    assert found["p_permutation"] == pytest.approx(2 * 10 / 924)
    assert found["p"] == pytest.approx(2 * tail_of_u(6, 6, 6))
    assert found["verdict"].startswith("No answer: differences")
    assert found["method"].endswith("; ties count against a difference")
    shown = plimsoll("stats", *both)
    assert f"p          {found['p']:.3g}\n" in shown
    assert f"the permutation p is {found['p_permutation']:.3g} and decides nothing" in shown
    assert "; ties count against a difference" in shown
    assert "count against" not in plimsoll("stats", *files([1, 2, 3, 4], [5, 6, 7, 8]))


def tail_of_u(n1: int, n2: int, most: float) -> float:
    """P(U ≤ most) without ties, by enumeration of all splits."""
    splits = list(combinations(range(n1 + n2), n1))
    counts = [sum(rank - place for place, rank in enumerate(split)) for split in splits]
    return sum(u <= most for u in counts) / len(counts)


@settings(max_examples=200)
@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=9), st.lists(st.integers(0, 9), min_size=1, max_size=9)
)
def test_the_printed_p_the_interval_and_the_verdict_agree(a: list[int], b: list[int]) -> None:
    for by_round in (False, True):
        first, second = (a[: len(b)], b[: len(a)]) if by_round else (a, b)
        found = compare_samples(first, second, Design(by_round=by_round))
        assert found.estimate is not None and found.p is not None and found.p_permutation is not None
        interval, none = found.estimate.interval, 0.0 if found.ratio is None else 1.0
        excludes = interval is not None and not interval[0] <= none <= interval[1]
        assert excludes == (found.p <= 0.05)
        shown = not found.verdict.startswith(("No answer", "Equal"))
        assert shown == (found.p <= 0.05)
        assert found.method.endswith("against a difference") == found.counts_ties


def test_a_fall_to_zero_is_a_change_by_100_percent(plimsoll: Command, files: Files) -> None:
    both = files([3_069_448] * 6, [0] * 6)
    found = json.loads(plimsoll("stats", *both, "--json", "--lower-is-better"))
    assert found["p"] == pytest.approx(2 / 924)
    assert (found["change_percent"], found["difference"]["estimate"]) == (-100, -3_069_448)
    assert found["verdict"] == "candidate is 3,069,450 lower (95 % CI −3,069,450 to −3,069,450): better"
    shown = plimsoll("stats", *both, "--lower-is-better")
    assert "change     −100 %" in shown
    assert "−3,069,450 (95 % CI −3,069,450 to −3,069,450)" in shown


def test_a_zero_baseline_has_no_ratio(plimsoll: Command, files: Files) -> None:
    found = json.loads(plimsoll("stats", *files([0] * 6, [1, 2, 3, 4, 5, 6]), "--json"))
    assert found["ratio"] == {"estimate": None, "interval": None, "interval_90": None}
    assert found["warnings"] == [
        "baseline: all values are equal",
        "baseline: 6 values are zero; a ratio needs values above zero",
    ]
    paired = json.loads(plimsoll("stats", *files([0] * 6, [1, 2, 3, 4, 5, 6]), "--json", "--paired"))
    assert paired["p"] == 2 / 2**6
    assert paired["verdict"] == "candidate is 3.5 higher (95 % CI +1 to +6): better"
    assert (paired["change_percent"], paired["difference"]["interval"]) == (None, [1, 6])
    below = json.loads(plimsoll("stats", *files([-1, 2, 3], [1, 2, 3]), "--json"))
    assert "baseline: 1 value is below zero; a ratio needs values above zero" in below["warnings"]
    assert below["verdict"].startswith("No answer: too few rounds")


def test_few_values_have_no_interval(plimsoll: Command, files: Files) -> None:
    found = json.loads(plimsoll("stats", *files([3], [1, 2, 3, 4, 5]), "--json"))
    assert found["baseline"] == {"n": 1, "median": 3, "interval": None}
    assert found["candidate"]["interval"] is None
    assert found["warnings"] == [
        "baseline: 1 value has no 95 % interval of the median; it needs n ≥ 6",
        "candidate: 5 values have no 95 % interval of the median; it needs n ≥ 6",
    ]


def test_paired_by_line(plimsoll: Command, files: Files) -> None:
    found = json.loads(plimsoll("stats", *files(*V1), "--json", "--paired"))
    expected = paired_ratio(*V1)
    assert (found["p"], found["ratio"]["estimate"]) == (expected.p, expected.ratio)
    assert "paired by round" in found["method"]
    plimsoll("stats", *files([1, 2, 3], [1, 2]), "--paired", code=2)
    assert "has 3" in plimsoll.err and "has 2" in plimsoll.err
    few = json.loads(plimsoll("stats", *files([1, 2, 3], [4, 5, 7]), "--json", "--paired"))
    assert few["verdict"].endswith("(needs n ≥ 6)")


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (("1\n\n3\n", "1\n2\n3\n"), "line 2 of {1} has one, of {0} none ({1} has 3 in all, {0} has 2)"),
        (
            ("1\n2\n#\n4\n", "1\n#\n3\n4\n"),
            "line 2 of {0} has one, of {1} none ({0} has 3 in all, {1} has 3)",
        ),
        (("# tps\n1\n2\n", "1\n2\n"), "line 1 of {1} has one, of {0} none ({1} has 2 in all, {0} has 2)"),
    ],
)
def test_paired_values_stand_on_the_same_lines(
    plimsoll: Command, files: Files, texts: tuple[str, str], message: str
) -> None:
    """As many numbers in both are not enough: what was left out in one would shift all that follow."""
    names = files(*texts)
    plimsoll("stats", *names, "--paired", code=2)
    assert plimsoll.err.endswith(f"{message.format(*names)}\n") and plimsoll.err.count("\n") == 1
    assert plimsoll("stats", *names)


def test_lines_skipped_in_both_or_at_the_end_break_no_pair(plimsoll: Command, files: Files) -> None:
    texts = ("# a\n1\n\n2\n3\n", "\n4\n# left out\n5\n7\n\n# the end\n\n")
    found = json.loads(plimsoll("stats", *files(*texts), "--json", "--paired"))
    expected = paired_ratio([1, 2, 3], [4, 5, 7])
    assert (found["p"], found["ratio"]["estimate"]) == (expected.p, expected.ratio)


def test_values_below_zero_have_no_ratio_paired_or_not(plimsoll: Command, files: Files) -> None:
    both = files([-1, -2, -3, -4, -5, -6], [-2, -4, -6, -8, -10, -12])
    verdicts = [json.loads(plimsoll("stats", *both, "--json", *more)) for more in ((), ("--paired",))]
    assert verdicts[0]["verdict"] == "No answer: differences between −8 and +1 remain possible"
    assert verdicts[1]["verdict"] == "candidate is 3.5 lower (95 % CI −6 to −1): worse"
    for found in verdicts:
        assert found["ratio"] == {"estimate": None, "interval": None, "interval_90": None}


def test_a_thousand_rounds_can_be_paired(plimsoll: Command, files: Files) -> None:
    values = [1000 + place % 7 for place in range(1_030)]
    found = json.loads(plimsoll("stats", *files(values, values), "--json", "--paired"))
    assert found["verdict"].startswith("Equal within")


def test_lower_may_be_better_and_the_margin_is_yours(plimsoll: Command, files: Files) -> None:
    lower = json.loads(plimsoll("stats", *files(*V1), "--json", "--lower-is-better"))
    assert lower["verdict"] == "candidate is 17.3 % lower (95 % CI −18.0 % to −16.6 %): better"
    more = json.loads(plimsoll("stats", *files(V1[1], V1[0]), "--json", "--lower-is-better"))
    assert more["verdict"].endswith(": worse")
    wide = json.loads(plimsoll("stats", *files(*V1), "--json", "--margin", "0.25"))
    assert wide["verdict"] == "Equal: the difference is smaller than your 25 % margin"
    for margin in ("0", "0.6", "nan", "-1"):
        plimsoll("stats", *files(*V1), "--margin", margin, code=2)
        assert "--margin" in plimsoll.err


def test_as_text(plimsoll: Command, files: Files) -> None:
    shown = plimsoll("stats", *files(*V1)).splitlines()
    assert shown[1].split() == ["baseline", "10", "1,718", "1,707", "to", "1,736"]
    assert "ratio      0.826608 (95 % CI 0.819501 to 0.833626)" in shown
    assert shown[-1] == "verdict    candidate is 17.3 % slower (95 % CI −18.0 % to −16.6 %)"
    assert "warning    baseline: all values are equal" in plimsoll("stats", *files([5] * 6, [5] * 6))


def test_comments_blank_lines_and_foreign_line_ends_are_skipped(plimsoll: Command, files: Files) -> None:
    text = "\ufeff# tps\r\n\r\n 1.5 \r\n+2e0\r\n.5\r\n"
    found = json.loads(plimsoll("stats", *files(text, "1\n2\n"), "--json"))
    assert found["baseline"] == {"n": 3, "median": 1.5, "interval": None}


def test_files_that_powershell_wrote_are_read(plimsoll: Command, files: Files) -> None:
    (old, new) = files("1\n", "1\n2\n")
    Path(old).write_bytes("1.5\r\n2.5\r\n".encode("utf-16"))
    assert json.loads(plimsoll("stats", old, new, "--json"))["baseline"]["n"] == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ntps = 3\n", "line 2: “tps = 3” is not a number"),
        ("# a\n\n1 2\n", "line 3: “1 2” is not a number"),
        ("1\nnan\n", "line 2: “nan” is not a number"),
        ("inf\n", "line 1: “inf” is not a number"),
        ("1e999\n", "line 1: “1e999” is too large"),
        ("-1e301\n", "too large"),
        ("0\n1e-400\n", "line 2: “1e-400” is too small"),
        ("-0.000001e-999\n", "line 1: “-0.000001e-999” is too small"),
        ("1_000\n", "is not a number"),
        ("1,5\n", "is not a number"),
        ("٣\n", "is not a number"),
        ("3 # fine\n", "is not a number"),
        ("x" * 500, "…” is not a number"),
        ("", "no numbers"),
        ("# nothing\n", "no numbers"),
        ("1\n" * 5001, "5,001 numbers"),
    ],
)
def test_what_is_no_number_is_refused_by_its_place(
    plimsoll: Command, files: Files, text: str, message: str
) -> None:
    good, bad = files("1\n", text)
    for arguments in ((good, bad), (bad, good)):
        assert plimsoll("stats", *arguments, "--json", code=2) == ""
        assert f"candidate.txt{',' if 'line' in message else ''}" in plimsoll.err and message in plimsoll.err


def test_files_that_cannot_be_read(plimsoll: Command, files: Files, tmp_path: Path) -> None:
    good, bad = files("1\n", "")
    Path(bad).write_bytes(b"1\n\xff\n")
    plimsoll("stats", good, bad, code=2)
    assert "line 2: not UTF-8" in plimsoll.err
    plimsoll("stats", good, str(tmp_path / "none"), code=2)
    plimsoll("stats", good, str(tmp_path), code=2)
    plimsoll("stats", "-", "-", code=2)
    assert "only one of the files" in plimsoll.err
    plimsoll("stats", good, code=2)


def test_every_way_to_write_zero_is_zero_and_the_smallest_numbers_are_read() -> None:
    texts = ("0", "-0.0", "+.0", "0e9", "0.00e-900", "1e-300")
    assert [*parse_numbers("\n".join(texts), "f").values()] == [0, 0, 0, 0, 0, 1e-300]


def test_one_may_be_standard_input(plimsoll: Command, files: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"1\n2\nx\n")))
    plimsoll("stats", "-", files("1\n", "1\n")[0], code=2)
    assert "standard input, line 3" in plimsoll.err


def test_it_imports_no_client_and_no_store() -> None:
    code = (
        "import sys; sys.argv = ['plimsoll', 'stats', '--help']\n"
        "from backend.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "print([n for n in ('httpx2', 'sqlalchemy', 'fastapi', 'redis', 'celery') if n in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


FINITE = st.floats(min_value=-1e300, max_value=1e300, allow_nan=False)


@settings(max_examples=150)
@given(st.lists(FINITE, min_size=1, max_size=12), st.lists(FINITE, min_size=1, max_size=12), st.booleans())
def test_any_two_samples_have_finite_json(a: list[float], b: list[float], by_round: bool) -> None:
    if by_round:
        a, b = a[: len(b)], b[: len(a)]
    found = compare_samples(a, b, Design(by_round=by_round))
    json.dumps(found.as_json(), allow_nan=False)
    assert found.verdict


@given(st.text(alphabet="0123456789.eE+-# \n\txnaif", max_size=40))
def test_any_text_is_numbers_or_a_sentence(text: str) -> None:
    try:
        assert parse_numbers(text, "f")
    except Failure as refused:
        assert str(refused).startswith("f")
