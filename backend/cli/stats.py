"""The command `stats`: compares two files of numbers without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isclose
from typing import Annotated, Final

import typer

from backend.cli.failure import USAGE, Failure
from backend.cli.number_files import decoded, parse_numbers
from backend.cli.output import Json, print_result, read
from backend.cli.two_samples import Design, TwoSamples, compare_samples
from backend.core.statistics.amounts import signed_numbers
from backend.core.statistics.median import MedianInterval
from backend.core.statistics.paired import Bounds

LARGEST_MARGIN: Final = 0.5
_DIGITS: Final = 6
_WHOLE_FROM, _WHOLE_TO = 1e5, 1e15

Numbers = "A file with one number per line; blank lines and lines that start with # are skipped; - is stdin."


def stats(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help=Numbers)],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="The file that is compared with it.")],
    paired: Annotated[
        bool,
        typer.Option(
            "--paired",
            help="Values on the same line of both files were measured in the same round; an error if a "
            "line has a value in only one file.",
        ),
    ] = False,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="For times, CPU and the like.")
    ] = False,
    margin: Annotated[float, typer.Option(help="Differences up to this are equivalent; 0.05 is 5 %.")] = 0.05,
    as_json: Json = False,
) -> None:
    """Compare two files of numbers; needs no server.

    One number per repeated run. Without --paired: exact Mann-Whitney U test with ties, Hodges-Lehmann ratio,
    Moses interval; with it the exact signed-rank test. Exit code 0 for any verdict, 2 for a line that is not
    a number or has no pair.
    """
    if not 0 < margin <= LARGEST_MARGIN:
        raise Failure(
            f"--margin {margin:g}: must be above 0 and at most {LARGEST_MARGIN} (0.05 is 5 %)", USAGE
        )
    if baseline == candidate == "-":
        raise Failure("only one of the files can be standard input", USAGE)
    first, second = _numbers(baseline), _numbers(candidate)
    if paired:
        _check_lines((_name(baseline), first), (_name(candidate), second))
    found = compare_samples([*first.values()], [*second.values()], Design(paired, lower_is_better, margin))
    print_result(found.as_json(), as_json, text(found))


def _numbers(file: str) -> dict[int, float]:
    return parse_numbers(decoded(read(file), _name(file)), _name(file))


def _check_lines(*files: tuple[str, Mapping[int, float]]) -> None:
    """Raise Failure with the first line that has a number in only one of the files."""
    alone = files[0][1].keys() ^ files[1][1].keys()
    if not alone:
        return
    line = min(alone)
    (have, values), (lack, others) = sorted(files, key=lambda each: line not in each[1])
    raise Failure(
        f"--paired needs numbers on the same lines of both: line {line} of {have} has one, of {lack} none "
        f"({have} has {len(values)} in all, {lack} has {len(others)})",
        USAGE,
    )


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def text(found: TwoSamples) -> str:
    """The comparison as a table with its verdict."""
    rows = [
        ("", "n", "median", "95 % CI"),
        ("baseline", *_row(found.baseline)),
        ("candidate", *_row(found.candidate)),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = [
        f"{name:<{widths[0]}}  {n:>{widths[1]}}  {median:>{widths[2]}}  {interval}".rstrip()
        for name, n, median, interval in rows
    ]
    facts = [
        ("ratio", _ratio(found)),
        *_change(found),
        ("p", "–" if found.p is None else f"{found.p:.3g}"),
        *_permutations(found),
        *_benchstats(found),
        ("method", found.method),
        ("verdict", found.verdict),
        *(("warning", warning) for warning in found.warnings),
    ]
    return "\n".join([*table, "", *(f"{name:<9}  {words}" for name, words in facts)])


def _permutations(found: TwoSamples) -> Iterator[tuple[str, str]]:
    """The permutation p, if it is not the one that decides."""
    if found.counts_ties:
        yield (
            "ties",
            f"count against a difference in p, as in the interval; the permutation p is "
            f"{found.p_permutation:.3g} and decides nothing",
        )


def _benchstats(found: TwoSamples) -> Iterator[tuple[str, str]]:
    """benchstat's p, if it differs from the permutation p."""
    exact, printed = found.p_permutation, found.p_benchstat
    if exact is None or printed is None or isclose(exact, printed, abs_tol=1e-9):
        return
    yield (
        "benchstat",
        f"prints p={found.p_benchstat:.3f}: it doubles the smaller tail of U, which is not a valid p "
        "for samples of unequal size with ties",
    )


def _row(found: MedianInterval) -> tuple[str, str, str]:
    bounds = None if found.low is None or found.high is None else (found.low, found.high)
    return str(found.n), _number(found.median), _interval(bounds)


def _ratio(found: TwoSamples) -> str:
    if found.ratio is None:
        return "–"
    return f"{_number(found.ratio.ratio)} (95 % CI {_interval(found.ratio.interval)})"


def _change(found: TwoSamples) -> Iterator[tuple[str, str]]:
    """What is judged in place of a ratio, and the change from median to median."""
    if found.difference is None:
        return
    apart = found.difference
    if found.change_percent is not None:
        yield "change", f"{_number(found.change_percent)} % from median to median"
    estimate, *ends = signed_numbers((apart.estimate, *(apart.interval or ())))
    yield "difference", f"{estimate} (95 % CI {' to '.join(ends) or '–'})"


def _interval(bounds: Bounds | None) -> str:
    return "–" if bounds is None else f"{_number(bounds[0])} to {_number(bounds[1])}"


def _number(value: float) -> str:
    whole = _WHOLE_FROM <= abs(value) < _WHOLE_TO
    return (f"{value:,.0f}" if whole else f"{value:,.{_DIGITS}g}").replace("-", "−")


COMMANDS: Final = {"stats": stats}
