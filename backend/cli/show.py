"""Responses of the API as text for a terminal."""

from __future__ import annotations

from typing import Any


def duration(seconds: float) -> str:
    """A duration in seconds, minutes or hours."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def summary(plan: dict[str, Any]) -> str:
    """A plan in one line, and its warnings."""
    estimate = plan["estimate"]
    runnable = [cell for cell in plan["cells"] if cell["infeasible"] is None]
    head = f"{len(runnable)} cells, {estimate['trials']} trials, about {duration(estimate['seconds'])}"
    if noisy := estimate.get("noisy_seconds"):
        head += f" (up to {duration(noisy)} longer on a noisy host)"
    if make_up := plan.get("make_up"):
        head += (
            f"; up to {make_up['rounds']} make-up rounds of cells that the host disturbed, "
            f"at most {duration(make_up['seconds'])}"
        )
    return "\n".join([head, *(f"warning: {text}" for text in plan["warnings"])])


def library(found: dict[str, Any]) -> str:
    """The runs of a search, one per line: id, start, host, state, verdict, title."""
    lines = [
        f"{run['id']}  {run['created_at'][:16]}  {run['host']:<12} {run['state']:<11}"
        f"{_counts(run['verdict']):<22}{run['title']}"
        for run in found["data"]
    ]
    total = found["total"]
    more = [f"{len(lines)} of {total}{'+' if total >= 1000 else ''} runs"] if total > len(lines) else []
    return "\n".join([*lines, *more]) or "no run matches"


def _counts(verdict: dict[str, Any] | None) -> str:
    """How many comparisons came out better, worse and undecided."""
    if verdict is None:
        return "-"
    counts = verdict["counts"]
    return f"+{counts['better']} -{counts['worse']} ?{counts['undecided']} x{counts['failed']}"


def plan_table(preview: dict[str, Any]) -> str:
    """A plan's cells, one per line, its summary and resolution."""
    plan = preview["plan"]
    lines = [f"{cell['id']:<8}{cell['label']}{_remark(cell)}" for cell in plan["cells"]]
    rule = filter(None, [preview.get("quality_rule")])
    return "\n".join([*lines, "", summary(plan), *_restarts(plan), *rule, *_resolution(preview)])


def _restarts(plan: dict[str, Any]) -> list[str]:
    """How often the plan's servers start, and the time for it; empty from an older API."""
    if not plan.get("restart_reason"):
        return []
    seconds = plan["estimate"].get("restart_seconds", 0)
    takes = f" The restarts take {duration(seconds)} of the run." if seconds else ""
    return [f"{plan['restart_reason']}{takes}"]


def _resolution(preview: dict[str, Any]) -> list[str]:
    """The resolution of the plan, and what fits into the budget."""
    found, budget = preview.get("resolution"), preview.get("budget")
    lines = []
    if found is not None and found["smallest_effect"] is not None:
        lines.append(
            f"resolves {100 * found['smallest_effect']:.2g} % of {found['metric']} with 80 % power "
            f"({found['source']})"
        )
    if found is not None:
        rounds = (f"{100 * r['effect']:.3g} %: {r['rounds'] or 'over 1,000'}" for r in found["rounds_for"])
        lines.append(f"rounds that detect a difference of {', '.join(rounds)}")
    if budget is not None:
        lines.append(budget["sentence"])
    return lines


def _remark(cell: dict[str, Any]) -> str:
    if cell["infeasible"] is not None:
        return f"  [cannot run: {cell['infeasible']}]"
    if cell["is_duplicate"]:
        return "  [A/A duplicate]"
    return "  [baseline]" if cell["is_baseline"] else ""


def status(run: dict[str, Any]) -> str:
    """A run in two lines."""
    progress = run["progress"]
    counts = f"{progress['done']} of {progress['total']} trials done"
    counts += "".join(
        f", {progress[name]} {name}" for name in ("skipped", "failed", "cancelled") if progress[name]
    )
    if progress["eta_s"] is not None:
        counts += f", about {duration(progress['eta_s'])} left"
    current = run["current"]
    now = f"\nnow: {current['label']}, round {current['round']}" if current else ""
    cancelling = ", cancel requested" if run["cancel_requested"] and run["state"] == "running" else ""
    return f"{run['id']}  {run['title']}\n{run['state']}{cancelling} on {run['host']}: {counts}{now}"


def hosts(found: list[dict[str, Any]]) -> str:
    """Hosts, one per line, each with what it cannot run."""
    lines = []
    for host in found:
        state = "online" if host["online"] else "offline"
        lines.append(f"{host['name']:<24}{state}, last seen {host['last_seen_at']}")
        for thing in host["cannot"]:
            setting = f" with userland-proxy {thing['setting']}" if thing["setting"] else ""
            lines.append(f"    no {thing['kind']} {thing['name']}{setting}: {thing['reason']}")
    return "\n".join(lines) or "no host is known yet"


def presets(found: list[dict[str, Any]]) -> str:
    """Presets, one per line."""
    return "\n".join(f"{preset['name']:<34}{preset['summary']}" for preset in found)
