"""A run as one self-contained HTML file: no network, no script, printable on A4."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Final

from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.model.sweep_models import HopCost, Ladder
from backend.core.chart.text.table import MISSING, TableRow, build_table, claim_words, number
from backend.core.chart.text.warning_summary import run_warnings, warning_summary
from backend.core.export.html_parts import bullets, facts, paragraph, section, table, text
from backend.core.export.methods import METHODS
from backend.core.messages import language
from backend.core.messages.message import Message, joined, key, message, named
from backend.core.messages.translation import Written
from backend.core.plan.labels import hop_label
from backend.core.plan.states import RUN_ENDED
from backend.core.sample.environment import HOST

_PAGE_WIDTH: Final = 680
_PAGE_HEIGHT: Final = 945
"""In CSS pixels: A4 without its margins, and 250 mm of it, which leaves room for a caption."""
_MOST_REDUCED: Final = 1.5
"""A higher picture would be too small to read on one page: it continues on the next."""
_SIZE: Final = re.compile(r'\s(width|height)="([0-9.]+)"')


@dataclass(frozen=True)
class Figure:
    """One picture in both themes, as SVG of the server's renderer; `caption` describes it.

    `dark` is empty in a report that is always light.
    """

    caption: str
    light: str
    dark: str


def report(model: ChartModel, figures: Sequence[Figure]) -> str:
    """The file. The figures' SVG is copied unchanged; every other text is escaped."""
    footer = message("reportMadeFrom", run=model.run_id, seed=str(model.seed))
    return page(model, results(model, figures), footer)


def page(model: ChartModel, parts: Iterable[str], footer: str, dark: bool = True) -> str:
    """The page around these parts, which are HTML; `dark`: also in the dark theme where a screen is dark."""
    provisional = "" if model.state in RUN_ENDED else paragraph(message("reportProvisional"), "notice")
    return _template().substitute(
        schemes="light dark" if dark else "light",
        dark="(prefers-color-scheme: dark)" if dark else "not all",
        lang=language.TAGS[language.current()],
        title=text(Written(model.title)),
        identity=text(_identity(model)),
        provisional=provisional,
        headline=text(model.headline),
        body="\n".join(part for part in parts if part),
        footer=text(footer),
    )


@cache
def _template() -> Template:
    return Template(resources.files(__package__).joinpath("report.html").read_text("utf-8"))


def _identity(model: ChartModel) -> str:
    done, planned = str(model.rounds_complete), str(model.rounds_planned)
    parts = [message("reportRunId", run=model.run_id), model.state]
    parts.append(message("reportRoundsComplete", n=done, of=planned))
    if model.environment.get(HOST):
        parts.append(message("reportOnHost", host=Written(model.environment[HOST])))
    if model.origin == "imported":
        parts.append(message("reportImported"))
    return joined(parts, "comma")


def results(model: ChartModel, figures: Sequence[Figure]) -> Iterator[str]:
    """The sections of a report: warnings and verdicts, tables, figures, environment and method."""
    yield section(
        "Warnings",
        bullets((warning, "") for warning in (*run_warnings(model), *warning_summary(model.cells))),
    )
    yield _thresholds(model)
    yield section("Result", _result(model), *(_figure(figure) for figure in figures))
    yield section(
        "Trust",
        bullets(
            [
                *((check.sentence, "worse" if check.suspect else "") for check in model.duplicates),
                *((check.sentence, "worse" if check.significant else "") for check in model.drifts),
                *([(model.servers.sentence, "")] if model.servers else []),
                *([(model.interim_analyses.sentence, "")] if model.interim_analyses else []),
            ]
        ),
    )
    yield section("Tied for best", bullets((group.sentence, "") for group in model.best))
    yield section("Cost per hop", *(_ladder(model, ladder) for ladder in model.ladders))
    yield section("Knees", bullets((titled(knee.title, knee.sentence), "") for knee in model.knees))
    yield _study(model)
    yield section(
        "Environment",
        facts({_fact(name): Written(value) for name, value in sorted(model.environment.items())}),
    )
    yield section("Method", facts({m.what: joined((m.how, Written(m.source))) for m in METHODS}))


def _thresholds(model: ChartModel) -> str:
    if model.gate is None:
        return ""
    rules = [
        table(
            titled(Written(rule.threshold), _outcome(rule.outcome)),
            ("cell", "outcome", ""),
            ("<", "<", "<"),
            [
                ((_label(model, cell.cell_id), _outcome(cell.outcome), cell.sentence), cell.outcome)
                for cell in rule.cells
            ],
        )
        for rule in model.gate.rules
    ]
    return section(
        "Thresholds", paragraph(message("reportOverall", outcome=_outcome(model.gate.outcome))), *rules
    )


def titled(title: str, text_: str) -> Message:
    """A sentence after what it is about."""
    return message("reportTitled", title=title, text=text_)


def _fact(name: str) -> str:
    """The name of a fact of the environment, with its id on the page."""
    found = Message(name)
    found.id, found.figures = f"labels:{key('fact', name)}", {}
    return found


def _outcome(outcome: str) -> str:
    return outcome.replace("_", " ")


def _texts(row: TableRow, chosen: list[int]) -> list[str]:
    """The texts of a row, with the verdicts in all metrics in its last one."""
    *texts, verdict = (row.texts[i] for i in chosen)
    return [*texts, joined((verdict, *row.others), "semicolon")]


def _result(model: ChartModel) -> str:
    """The table in two parts that fit a page: the comparison, and CPU by role."""
    found = build_table(model)
    cpu = [i for i, words in enumerate(found.columns) if words[0] == "CPU" or words[1] == "cores"]
    compared = [i for i in range(len(found.columns)) if i not in cpu]
    return "\n".join(
        table(
            caption,
            [_head(*found.columns[i]) for i in chosen],
            [found.aligned[i] for i in chosen],
            [
                (
                    _texts(row, chosen) if chosen is compared else [row.texts[i] for i in chosen],
                    row.kind or "" if chosen is compared else "",
                )
                for row in found.rows
            ],
        )
        for caption, chosen in (
            (
                "Every cell: medians with the 95 % interval of this cell alone, ratios with "
                "simultaneous intervals over the comparisons.",
                compared,
            ),
            ("CPU of the host: medians over the trials.", [0, 1, *cpu]),
        )
    )


def _head(upper: str, lower: str) -> str:
    """The head of a column in one line: its two words, of which one may be missing."""
    if not upper or not lower:
        return upper or lower
    if (upper, lower) == ("userland", "proxy"):
        return message("reportUserlandProxy")
    return message("reportHead", upper=upper, lower=lower)


def _figure(figure: Figure) -> str:
    dark = f'<div class="dark">{figure.dark}</div>' if figure.dark else ""
    kind = ' class="one-page"' if _reduced_to_a_page(figure.light) else ""
    return (
        f'<figure{kind}><div class="light">{figure.light}</div>{dark}'
        f"<figcaption>{text(figure.caption)}</figcaption></figure>"
    )


def _reduced_to_a_page(svg: str) -> bool:
    """Whether a picture is printed smaller so that no page break cuts it: where it stays readable."""
    size = dict(_SIZE.findall(svg.partition(">")[0]))
    if len(size) < 2:
        return False
    width, height = float(size["width"]), float(size["height"])
    pages = height * min(1, _PAGE_WIDTH / width) / _PAGE_HEIGHT
    return 1 < pages <= _MOST_REDUCED


def _ladder(model: ChartModel, ladder: Ladder) -> str:
    rows = [
        (
            (
                _label(model, step.cell_id),
                _label(model, step.from_id),
                _hops(step.added),
                _hops(step.removed),
                _cost(step.cpu),
                _cost(step.throughput),
                step.sentence,
            ),
            "",
        )
        for step in ladder.rungs
    ]
    columns = ("cell", "compared with", "hops added", "hops removed", "CPU", "throughput", "")
    return table(ladder.title, columns, ("<", "<", "<", "<", ">", ">", "<"), rows)


def _hops(hops: Sequence[str]) -> str:
    labels = map(hop_label, hops)
    return joined((named(key("hop", label), label) for label in labels), "comma") or MISSING


def _cost(cost: HopCost | None) -> str:
    if cost is None:
        return MISSING
    ends = cost.interval
    interval = f" [{number(ends.low, 2)}, {number(ends.high, 2)}]" if ends else ""
    return f"{number(cost.estimate, 2)}{interval} {cost.unit}".replace("-", "−")


def _label(model: ChartModel, cell_id: str) -> str:
    return next((cell.label for cell in model.cells if cell.id == cell_id), cell_id)


def _study(model: ChartModel) -> str:
    study = model.study
    if study is None:
        return ""
    claims = [((Written(claim.text), claim_words(claim), claim.detail), "") for claim in study.claims]
    return section(
        "Published study",
        paragraph(Written(f"{study.citation}. {study.environment}.")),
        table("Its claims, compared with this run", ("claim", "outcome", "why"), ("<", "<", "<"), claims),
    )
