"""The public part of a result: nothing that names the host, its addresses, users and directories; no ids."""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from backend.core.chart.cell_series.series_models import CellSeries
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.panels.panel_models import ResultPanels
from backend.core.definition.text import printable
from backend.core.sample import environment
from backend.store.ids import ID_PATTERN
from backend.store.repositories.result_rows import HostTexts

FACTS: Final = frozenset(
    (
        environment.OS,
        environment.KERNEL,
        environment.ARCHITECTURE,
        environment.CPU,
        environment.CORES,
        environment.MEMORY,
        environment.CLOCKSOURCE,
        environment.CPU_GOVERNOR,
        environment.CGROUP_VERSION,
        environment.IRQ_TIME,
        environment.IMAGE,
        "postgres",
        "pgbench",
    )
)
PREFIXES: Final = (environment.SYSCTL, environment.SERVER, environment.ENGINE)
NO_ID: Final = ""
"""In place of the run's and the experiment's id, which v1 requires as texts."""

_PATH: Final = re.compile(r"(?<![\w/.:])/(?:[\w.@+-]++/)+[\w.@+-]*+")
_ADDRESS: Final = re.compile(
    r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7})(?![\w:])"
)
_MAC: Final = re.compile(r"(?<![\w:])[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}(?![\w:])")
_ID: Final = re.compile(rf"(?<![a-z0-9]){ID_PATTERN}(?![a-z0-9])")
_PROSE: Final = frozenset(
    ("title", "name", "headline", "trust", "sentence", "figures", "advice", "reason", "detail", "warnings")
)
"""Fields in whose texts the host's name is replaced; others hold ids and levels that refer to each other."""
_LAB: Final = ipaddress.ip_network("198.18.0.0/15")
"""For benchmarks (RFC 2544): the addresses of the lab's own link, the same on every host."""
_SHORTEST: Final = 4
"""Characters of a host name's first label that is replaced without its domain."""


@dataclass(frozen=True)
class _Hidden:
    details: tuple[str, ...]
    host: re.Pattern[str] | None

    def text(self, value: str, is_prose: bool) -> str:
        for detail in self.details:
            value = value.replace(f": {detail}", "")
        value = _PATH.sub("(a path on the host)", value)
        value = _ADDRESS.sub(_address, _MAC.sub("(an address)", value))
        value = _ID.sub("(an id)", value)
        return self.host.sub("(the host)", value) if is_prose and self.host is not None else value

    def value(self, value: Any, is_prose: bool = False) -> Any:
        if isinstance(value, str):
            return self.text(value, is_prose)
        if isinstance(value, dict):
            return {name: self._field(name, item) for name, item in value.items()}
        return [self.value(item, is_prose) for item in value] if isinstance(value, list) else value

    def _field(self, name: str, value: Any) -> Any:
        if name == "figures" and isinstance(value, dict):  # of a message: parts of its sentence
            return {figure: self.value(item, True) for figure, item in value.items()}
        return self.value(value, name in _PROSE)


def public(body: bytes, private: HostTexts) -> bytes:
    """The part of a result that a share link may show, as JSON.

    Removed are the ids of run and experiment, the failure details of the run's trials (their codes stay),
    facts of the environment other than FACTS and PREFIXES, and in any text paths of the host's file system,
    ids, addresses other than loopback and the lab's own, and in sentences the names of both hosts.
    """
    model = ChartModel.model_validate_json(body)
    hidden = _hidden(private, _names_in(model.environment))
    facts = {
        hidden.text(name, True): hidden.text(value, True)
        for name, value in model.environment.items()
        if name in FACTS or name.startswith(PREFIXES)
    }
    shown = hidden.value(model.model_dump(mode="json", exclude={"environment"}))
    shown |= {"environment": facts, "run_id": NO_ID, "experiment_id": NO_ID}
    return ChartModel.model_validate(shown).model_dump_json().encode()


def public_panels(body: bytes, chart: bytes, private: HostTexts) -> bytes:
    """The part of ResultPanels that a link to the result `chart` may show, as JSON."""
    hidden = _hidden(private, _names_in(json.loads(chart)["environment"]))
    shown = hidden.value(ResultPanels.model_validate_json(body).model_dump(mode="json"))
    return ResultPanels.model_validate(shown | {"run_id": NO_ID}).model_dump_json().encode()


def public_series(series: CellSeries, chart: bytes, private: HostTexts) -> CellSeries:
    """The part of a cell's time series that a link to the result `chart` may show: no id of run or trial."""
    hidden = _hidden(private, _names_in(json.loads(chart)["environment"]))
    trials = tuple(
        trial.model_copy(
            update={
                "trial_id": NO_ID,
                "excluded": None if trial.excluded is None else hidden.text(trial.excluded, True),
                "invalid": tuple(hidden.text(reason, True) for reason in trial.invalid),
                "contaminated": tuple(hidden.text(reason, True) for reason in trial.contaminated),
            }
        )
        for trial in series.trials
    )
    label = hidden.text(series.label, False)
    return series.model_copy(update={"run_id": NO_ID, "label": label, "trials": trials})


def _names_in(facts: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the hosts in the environment of a result, not made public yet."""
    return tuple(str(facts[key]) for key in (environment.HOST, environment.CLIENT_HOST) if key in facts)


def _hidden(private: HostTexts, named: tuple[str, ...]) -> _Hidden:
    details = {printable(detail) for detail in private.failure_details}
    return _Hidden(tuple(sorted(details, key=len, reverse=True)), _host_names((*private.hosts, *named)))


def _host_names(names: Iterable[str]) -> re.Pattern[str] | None:
    """Finds these names of hosts, and their first labels, in any case."""
    whole = {name for name in names if name}
    short = {name.partition(".")[0] for name in whole}
    found = whole | {name for name in short if len(name) >= _SHORTEST}
    if not found:
        return None
    possible = "|".join(re.escape(name) for name in sorted(found, key=len, reverse=True))
    return re.compile(rf"(?<![\w.])(?:{possible})(?!\w)", re.IGNORECASE)


def _address(found: re.Match[str]) -> str:
    try:
        address = ipaddress.ip_address(found[0])
    except ValueError:  # a version number or a time
        return found[0]
    known = address.is_loopback or address.is_unspecified or (address.version == 4 and address in _LAB)
    return found[0] if known else "(an address)"
