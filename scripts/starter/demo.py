"""A small docker-proxy study through the REST API, for `--demo`; `--once` returns its exit code."""

from __future__ import annotations

import json
import ssl
import threading
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from backend.cli.run_feed import RunFeed
from backend.cli.run_status import RunStatus
from backend.client.errors import PlimsollError
from backend.client.transport import Transport
from backend.core.chart.model.chart_model import ChartModel
from backend.core.chart.text.table import text_table
from backend.core.plan.states import RUN_ENDED, TRIAL_ENDED
from scripts.starter.stopping import Stop
from scripts.starter.terminal import Terminal

PRESET = "pachot-2019-quick"
EXIT_NOT_PROVEN = 3

Json = dict[str, Any]


class Demo(threading.Thread):
    """Runs the study in a thread of its own, so that the main thread keeps watching the services.

    `exit_code` is None until it has ended: then 0, 1 if the study could not be run, or 3 if a trial is
    missing or not proven; then it ends the waiting of `stop`. After a requested stop it prints no error: the
    API is being stopped, too. `run_id` is its run while it is in progress.
    """

    def __init__(
        self,
        url: str,
        token: str,
        report: Path,
        terminal: Terminal,
        stop: Stop,
        verify: ssl.SSLContext | bool = True,
    ) -> None:
        super().__init__(name="demo", daemon=True)
        self.exit_code: int | None = None
        self.run_id: str | None = None
        self._report = report
        self._terminal = terminal
        self._stop = stop
        self._client = Transport(url, token, trust_env=False, verify=verify)

    def run(self) -> None:
        """Run the study; never raises."""
        code = 1
        try:
            code = self._study()
        except PlimsollError as error:
            self._fail(str(error))
        except (OSError, ValueError, KeyError) as error:
            self._fail(f"{type(error).__name__}: {error}")
        finally:
            self.exit_code = code
            self._stop.wake()

    def _fail(self, reason: str) -> None:
        if not self._stop.requested:
            self._terminal.fail(f"the demo failed: {reason}")

    def _study(self) -> int:
        presets = self._client.get("/presets")["data"]
        definition = next((p["definition"] for p in presets if p["name"] == PRESET), None)
        if definition is None:
            raise PlimsollError(f"the API has no preset {PRESET}")
        document = json.dumps(definition).encode(), "application/json"
        plan = self._client.post_document("/plans", *document)["plan"]
        self._announce(plan)
        experiment = self._client.post_document("/experiments", *document)
        run = self._unfinished_run(experiment["id"])
        if run is None:
            run = self._client.post(f"/experiments/{experiment['id']}/runs", key=uuid4().hex)
        else:
            self._terminal.say("demo", "an earlier start began this study; it goes on")
        self.run_id = run["id"]
        self._terminal.say("demo", f"run {run['id']}: {self._client.url}/runs/{run['id']}")
        self._follow(run["id"], {cell["id"]: cell["label"] for cell in plan["cells"]}, len(plan["trials"]))
        self.run_id = None
        return self._conclude(run["id"], len(plan["trials"]))

    def _unfinished_run(self, experiment_id: str) -> Json | None:
        """The study's run that an earlier start began and did not end, if it is among the newest runs."""
        newest: list[Json] = self._client.get("/runs")["data"]
        return next(
            (r for r in newest if r["experiment_id"] == experiment_id and r["state"] not in RUN_ENDED), None
        )

    def _announce(self, plan: Json) -> None:
        feasible = sum(cell["infeasible"] is None for cell in plan["cells"])
        minutes = plan["estimate"]["seconds"] / 60
        self._terminal.say(
            "demo",
            f"{PRESET}: {feasible} of {len(plan['cells'])} cells can run here, "
            f"{len(plan['trials'])} trials, about {minutes:.0f} min",
        )
        for cell in plan["cells"]:
            if cell["infeasible"] is not None:
                self._terminal.say("demo", f"cannot run: {cell['label']}: {cell['infeasible']}")

    def _follow(self, run_id: str, labels: Mapping[str, str], total: int) -> None:
        """Print one line per ended trial, and what the run waits for, until it has ended."""
        trials = self._client.get(f"/runs/{run_id}/trials")["data"]
        ended = {trial["id"] for trial in trials if trial["state"] in TRIAL_ENDED}
        if ended:
            self._terminal.say("demo", f"{len(ended)} of {total} trials were recorded earlier")
        status, feed = RunStatus(datetime.now(UTC)), RunFeed(self._client, run_id)
        for _, kind, data in feed:
            now = datetime.now(UTC)
            if kind == "error":
                raise data
            lines = status.apply(kind, data, now)
            if kind == "trial" and data["state"] in TRIAL_ENDED and data["trial_id"] not in ended:
                ended.add(data["trial_id"])
                lines.append(trial_line(data, len(ended), max(total, len(ended)), labels))
            elif status.is_due(now):
                lines.append(status.status(now))
            for line in lines:
                self._say(line)
                status.said(now)
            feed.ask(run_id, status.hosts_to_ask(now))

    def _say(self, line: str) -> None:
        """Print a line of the run; after a requested stop, the API's end is none of them."""
        if not self._stop.requested:
            self._terminal.say("demo", line)

    def _conclude(self, run_id: str, planned: int) -> int:
        run = self._client.get(f"/runs/{run_id}")
        result = self._client.get(f"/runs/{run_id}/result")
        trials = [self._with_evidence(row) for row in self._client.get(f"/runs/{run_id}/trials")["data"]]
        report = {"run": run, "result": result, "trials": trials}
        self._report.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        self._terminal.plain("")
        self._terminal.plain(text_table(ChartModel.model_validate(result)))
        self._terminal.plain("")
        share = self._client.post(f"/runs/{run_id}/shares")
        self._terminal.say("demo", f"result: {self._client.url}/runs/{run_id}")
        self._terminal.say(
            "demo", f"read-only link, until {share['expires_at'][:10]}: {self._client.url}{share['url']}"
        )
        self._terminal.say("demo", f"the API's responses are in {self._report}")
        return self._verdict(trials, planned)

    def _with_evidence(self, row: Json) -> Json:
        record = self._client.get(f"/trials/{row['id']}")["record"]
        return row | {"evidence": None if record is None else record["evidence"]}

    def _verdict(self, trials: list[Json], planned: int) -> int:
        faults = unproven(trials, planned)
        if not faults:
            self._terminal.say("demo", f"all {len(trials)} trials are done and every path is proven")
            return 0
        for fault in faults:
            self._terminal.fail(fault)
        return EXIT_NOT_PROVEN


def trial_line(event: Mapping[str, Any], ended: int, total: int, labels: Mapping[str, str]) -> str:
    """One ended trial in one line."""
    label = labels.get(event["cell_id"], event["cell_id"])
    tps = (event["metrics"] or {}).get("tps")
    outcome = (
        f"{tps:>9,.0f} tps" if tps is not None else f"{event['state']} ({event['failure_code'] or 'no code'})"
    )
    return f"trial {ended:>{len(str(total))}}/{total}  round {event['round']}  {outcome}  {label}"


def unproven(trials: list[Json], planned: int) -> list[str]:
    """One sentence for every planned trial that is not done or whose path is not proven."""
    faults = []
    if len(trials) < planned:  # make-up rounds may add some
        faults.append(f"{planned} trials were planned and {len(trials)} exist")
    for (cell, state, verdict, code), count in sorted(Counter(map(_outcome, trials)).items()):
        if state != "done":
            faults.append(f"cell {cell}: {count} trials are {state}{f' ({code})' if code else ''}")
        elif verdict != "proven":
            faults.append(f"cell {cell}: the path of {count} trials is {verdict.replace('_', ' ')}")
    return faults


def _outcome(trial: Json) -> tuple[str, str, str, str]:
    verdict = trial["evidence_verdict"] or "without evidence"
    return trial["cell_id"], trial["state"], verdict, trial["failure_code"] or ""
