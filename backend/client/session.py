"""A Plimsoll server, as scripts and notebooks use it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from urllib.parse import quote

from .credentials import Credentials
from .experiments import ExperimentHandle
from .groups import GroupHandle
from .models import (
    ComparisonMatrix,
    ExperimentResource,
    History,
    Host,
    HostList,
    LibraryRun,
    LibraryRunList,
    PlanPreview,
    Preset,
    PresetList,
    Run,
    RunComparison,
    RunList,
    Schedule,
    ScheduleList,
)
from .results import Comparison, MatrixComparison, Result
from .runs import RunHandle
from .schedules import ScheduleHandle
from .transport import Transport
from .trust import trust, trust_text

DEFAULT_URL: Final = "http://127.0.0.1:8420"
_PAGE: Final = 100
Document = Mapping[str, Any] | str | Path
"""An experiment: a mapping, YAML text, or the path of a YAML or JSON file."""


class Plimsoll:
    """A Plimsoll server.

    `url` is by default PLIMSOLL_URL, else the server of the last `plimsoll login`, else this machine; `token`
    PLIMSOLL_TOKEN, else the one of the credentials file for the server. `ca_file`: the only certificates that
    are trusted, by default PLIMSOLL_CA_FILE, else the certificate of the sign-in. Raises a PlimsollError.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        allow_http: bool = False,
        ca_file: str | None = None,
    ) -> None:
        stored = Credentials()
        found = url or os.environ.get("PLIMSOLL_URL") or stored.default() or DEFAULT_URL
        secret = token or os.environ.get("PLIMSOLL_TOKEN") or stored.token(found)
        allowed = allow_http or os.environ.get("PLIMSOLL_ALLOW_HTTP") == "1"
        file = ca_file or os.environ.get("PLIMSOLL_CA_FILE")
        verify = trust(file) if file else trust_text(stored.certificate(found))
        self._transport = Transport(found, secret, allow_http=allowed, verify=verify)

    def __enter__(self) -> Plimsoll:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Plimsoll at {self._transport.url}>"

    def close(self) -> None:
        """Close the connections."""
        self._transport.close()

    def presets(self) -> tuple[Preset, ...]:
        """The experiments that come with Plimsoll."""
        return tuple(PresetList.model_validate(self._transport.get("/presets")).data)

    def hosts(self) -> tuple[Host, ...]:
        """The hosts that can be measured."""
        return tuple(HostList.model_validate(self._transport.get("/hosts")).data)

    def runs(self) -> Iterator[Run]:
        """All runs, newest first; pages are read as needed."""
        query = {"limit": str(_PAGE)}
        while True:
            page = RunList.model_validate(self._transport.get("/runs", **query))
            yield from page.data
            if page.next_cursor is None:
                return
            query["cursor"] = page.next_cursor

    def search(self, query: str = "") -> Iterator[LibraryRun]:
        """The runs that match a search, newest first, with their verdicts; pages are read as needed.

        A term that the server does not understand is left out: `GET /library` names it in `problems`.
        """
        found = {"limit": str(_PAGE), "q": query}
        while True:
            page = LibraryRunList.model_validate(self._transport.get("/library", **found))
            yield from page.data
            if page.next_cursor is None:
                return
            found["cursor"] = page.next_cursor

    def run(self, run_id: str) -> RunHandle:
        """A run by its id; no request is sent before it is used."""
        return RunHandle(self._transport, run_id)

    def group(self, group_id: str) -> GroupHandle:
        """A group of runs by its id; no request is sent before it is used."""
        return GroupHandle(self._transport, group_id)

    def schedules(self) -> tuple[Schedule, ...]:
        """The schedules of the team, the next ones first."""
        return tuple(ScheduleList.model_validate(self._transport.get("/schedules")).data)

    def schedule(self, schedule_id: str) -> ScheduleHandle:
        """A schedule by its id; no request is sent before it is used."""
        return ScheduleHandle(self._transport, schedule_id)

    def history(self, experiment_id: str, host: str | None = None) -> History:
        """An experiment over time on one host; by default the host with the newest run."""
        query = {} if host is None else {"host": host}
        path = f"/histories/{quote(experiment_id, safe='')}"
        return History.model_validate(self._transport.get(path, **query))

    def result(self, run_id: str) -> Result:
        """The result of a run."""
        return self.run(run_id).result()

    def plan(
        self, document: Document, host: str | None = None, *, client_host: str | None = None
    ) -> PlanPreview:
        """Cells, trials and duration of an experiment; starts nothing."""
        named = {"host": host, "client_host": client_host}
        query = {name: value for name, value in named.items() if value is not None}
        text, media = _body(document)
        return PlanPreview.model_validate(self._transport.post_document("/plans", text, media, **query))

    def submit(self, document: Document) -> ExperimentHandle:
        """Store an experiment; the same document is stored once. `.start()` runs it."""
        stored = self._transport.post_document("/experiments", *_body(document))
        return ExperimentHandle(self._transport, ExperimentResource.model_validate(stored))

    def compare(self, a: str, b: str, *, override: bool = False, **query: str) -> Comparison:
        """Run b compared with run a; `override` compares although they are not comparable."""
        extra = {"override": "true"} if override else {}
        found = self._transport.get("/comparisons", a=a, b=b, **query, **extra)
        return Comparison(RunComparison.model_validate(found))

    def compare_all(
        self,
        runs: Sequence[str],
        cells: Sequence[str] = (),
        *,
        reference: int = 0,
        override: bool = False,
        **query: str,
    ) -> MatrixComparison:
        """Two to twelve runs, or with `cells` one cell of each, compared with the one at index `reference`.

        `query` takes `metric`, else the first, and `basis`. `override` compares runs that are not comparable.
        """
        lists = {"run": list(runs)} | ({"cell": list(cells)} if cells else {})
        extra = {"override": "true"} if override else {}
        found = self._transport.get(
            "/comparisons/matrix", **lists, reference=str(reference), **query, **extra
        )
        return MatrixComparison(ComparisonMatrix.model_validate(found))


def _body(document: Document) -> tuple[bytes, str]:
    """The text of an experiment and its media type."""
    if isinstance(document, Path):
        return document.read_bytes(), f"application/{'json' if document.suffix == '.json' else 'yaml'}"
    if isinstance(document, str):
        return document.encode(), "application/yaml"
    return json.dumps(document).encode(), "application/json"
