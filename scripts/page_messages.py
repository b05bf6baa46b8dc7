"""Writes the page's English catalogues with the server's texts: warnings, reasons, problems, names, labels.

python -m scripts.page_messages
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from backend.api.problems.texts import EXPLAINED
from backend.core.chart.across_hosts.build_hosts import METHOD_OF_RATIOS
from backend.core.chart.compare_runs.matrix_columns import CHOSEN_CELLS
from backend.core.chart.compare_runs.matrix_entries import APART, TOGETHER
from backend.core.chart.compare_runs.run_comparison_ratios import OVER_BASELINE
from backend.core.chart.quality.environment_changes import AT_START
from backend.core.chart.sweeps.ladder import TITLE
from backend.core.definition.factors import FACTORS, Factor, Level
from backend.core.definition.metrics import METRICS
from backend.core.definition.presets import presets
from backend.core.definition.studies import STUDIES
from backend.core.messages.catalog import BETWEEN, OF_REPORTS, WITHIN_RUNS
from backend.core.messages.message import key
from backend.core.messages.reasons import REASONS
from backend.core.messages.waits import WAITS
from backend.core.plan.labels import PLAIN, hop_label, level_label
from backend.core.sample.environment import ENGINE, FACTS, SERVER, SYSCTL
from backend.core.sample.notice_kinds import KINDS
from backend.core.sample.record import ROLES
from backend.core.statistics import between_hosts, paired, unpaired
from backend.core.topology.model import Hop
from backend.core.topology.paths import PATHS

FOLDER: Final = Path(__file__).parents[1] / "frontend" / "src" / "messages" / "en"
WORDS: Final = sorted({m.unit for m in METRICS.values() if m.unit.isalpha() and len(m.unit) > 2})
"""Units that are words."""
VALUE: Final = "{{value}}"
HEADER: Final = "// Generated from the server's texts: python -m scripts.page_messages\n"


def catalogs() -> dict[str, Mapping[str, str]]:
    """The English texts of each generated namespace by key."""
    return {
        "warnings": WITHIN_RUNS,
        "betweenRuns": BETWEEN,
        "reasons": REASONS,
        "catalog": dict(_names()),
        "labels": dict(_labels()),
        "report": OF_REPORTS,
        "refusals": dict(_refusals()),
        "waits": WAITS,
    }


def _names() -> Iterator[tuple[str, str]]:
    """The names that the server gives to what a definition can hold and a result can show."""
    for factor in FACTORS.values():
        yield key("factor", factor.name), factor.label
        if factor.about:
            yield key("about", factor.name), factor.about
    for metric in METRICS.values():
        yield key("metric", metric.name), metric.label
    for unit in WORDS:
        yield key("unit", unit), unit
    for path in PATHS.values():
        yield key("path", path.name), path.title
        yield key("pathSummary", path.name), path.summary
    for hop in Hop:
        yield key("hop", hop_label(hop.value)), hop_label(hop.value)
    for role in (*ROLES, "unattributed", "idle", "steal"):
        yield key("role", role), role
    for kind in KINDS:
        yield key("notice", kind), kind
    for preset in presets():
        yield key("preset", preset.name), preset.title
        if preset.form == "full":
            yield key("presetQuestion", preset.name), preset.question


def _labels() -> Iterator[tuple[str, str]]:
    """The templates of labels of levels and cells, from which the page finds a label's parts.

    With them are the summaries of presets, the texts of studies, the names of methods, and those of facts.
    Titles of paths have keys of their own; names of programs and protocols are the same in every language.
    """
    for factor in FACTORS.values():
        if factor.name != "path" and factor.name not in PLAIN:
            yield from _levels(factor)
    yield "labelDuplicate", "{{label}} (A/A)"
    yield "labelAgainst", "{{label}} against {{other}}"
    yield "labelChosenCells", CHOSEN_CELLS
    yield "labelLadder", TITLE
    yield "labelLadderOf", f"{TITLE}: {{{{label}}}}"
    for preset in presets():
        yield key("presetSummary", preset.name), preset.summary
    yield from _methods()
    yield from _studies()
    for name in FACTS:
        yield key("fact", name), name
    yield "factOfEngine", f"{ENGINE}{{{{engine}}}} {{{{name}}}}"
    for kind, prefix in (("Sysctl", SYSCTL), ("Server", SERVER), ("Start", AT_START)):
        yield f"factOf{kind}", f"{prefix}{{{{name}}}}"


def _studies() -> Iterator[tuple[str, str]]:
    """The published studies: title, environment, and what each claims."""
    for study in STUDIES.values():
        yield key("study", study.name), study.title
        yield key("studyEnvironment", study.name), study.environment
        for number, claim in enumerate(study.claims, 1):
            yield key("claim", f"{study.name} no {number}"), claim.text


def _refusals() -> Iterator[tuple[str, str]]:
    """Cause and remedy of each code of problem documents, with the detail where one of them points to it.

    Codes of field types, which have no explanation of their own, share one text.
    """
    yield "codeOfField", "The value is not allowed: {{detail}}"
    for problem in EXPLAINED:
        text = f"{problem.cause} {problem.remedy}"
        yield key("code", problem.code), f"{text} {{{{detail}}}}" if "detail" in text else text


def _methods() -> Iterator[tuple[str, str]]:
    """The methods by which figures are compared."""
    for name, method in (("Paired", paired.METHOD), ("Unpaired", unpaired.METHOD)):
        yield f"method{name}", method
        yield f"methodOverBaseline{name}", OVER_BASELINE + method
    yield "methodTogether", TOGETHER.format(family=VALUE)
    yield "methodApart", APART.format(family=VALUE)
    yield "methodHostRatios", METHOD_OF_RATIOS
    yield "methodBetweenHosts", between_hosts.METHOD


def _levels(factor: Factor) -> Iterator[tuple[str, str]]:
    """The labels of levels that have words of their own, and the template of the others with `{{value}}`."""
    name = factor.name
    named = key("level", name)
    if isinstance(factor.default, bool):
        yield f"{named}Off", level_label(name, False)
        yield f"{named}On", level_label(name, True)
        return
    if factor.choices and name != "engine":
        for level in factor.choices:
            yield key(named, str(level)), level_label(name, level)
        return
    special: Mapping[str, Level] = {"Any": ""} if factor.pattern else {"Zero": 0, "Single": 1}
    for suffix, level in special.items():
        if level_label(name, level) != level_label(name, VALUE).replace(VALUE, str(level)):
            yield named + suffix, level_label(name, level)
    yield named, level_label(name, VALUE)


def module(texts: Mapping[str, str]) -> str:
    """A catalogue as a TypeScript module."""
    lines = "".join(f"  {name}: {json.dumps(text, ensure_ascii=False)},\n" for name, text in texts.items())
    return f"{HEADER}export default {{\n{lines}}} as const;\n"


if __name__ == "__main__":
    for namespace, found in catalogs().items():
        (FOLDER / f"{namespace}.ts").write_text(module(found))
