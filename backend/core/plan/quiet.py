"""What the quiet gate and retakes can add to a plan, and the rule in words."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.definition.quality import Quality


def noisy_seconds(quality: Quality, trials: Iterable[float]) -> float:
    """What a host that is noisy on and off adds at most, in seconds; `trials` are those of each trial."""
    waits = (1 + quality.retakes) * quality.wait_for_quiet_s
    return sum(waits + quality.retakes * seconds for seconds in trials)


def rule_sentence(quality: Quality) -> str:
    """What happens on a noisy host, with the limits of this experiment."""
    limits = []
    if quality.max_other_cores is not None:
        limits.append(f"other processes use more than {quality.max_other_cores:g} cores")
    if quality.max_steal is not None:
        limits.append(f"the hypervisor keeps more than {100 * quality.max_steal:g} % of the CPU")
    if not limits:
        return "No limit is set on other processes or steal: no trial is contaminated by them."
    wait = (
        f"waits up to {quality.wait_for_quiet_s} s while" if quality.wait_for_quiet_s else "does not wait if"
    )
    again = f"taken again at most {_times(quality.retakes)}" if quality.retakes else "not taken again"
    return (
        f"Each trial {wait} {' or '.join(limits)}. A trial during which that happens, or whose window is far "
        f"too long, is contaminated: it is {again}, and left out of every statistic if it stays so. "
        "No metric takes part in this rule."
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
