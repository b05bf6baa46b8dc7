"""The time that waits for a quiet host and repeated trials add, and the rule as a sentence."""

from __future__ import annotations

from collections.abc import Iterable

from backend.core.definition.quality import Quality


def noisy_seconds(quality: Quality, trials: Iterable[float]) -> float:
    """The most seconds that waits and repetitions add; `trials` are the seconds of each trial."""
    waits = (1 + quality.retakes) * quality.wait_for_quiet_s
    return sum(waits + quality.retakes * seconds for seconds in trials)


def rule_sentence(quality: Quality) -> str:
    """The sentence that states the limits of this experiment and what happens where they are exceeded."""
    limits = []
    if quality.max_other_cores is not None:
        limits.append(f"other processes use {quality.max_other_cores:g} cores more than on the quiet host")
    if quality.max_steal is not None:
        limits.append(f"the hypervisor takes more than {100 * quality.max_steal:g} % of the CPU")
    if not limits:
        return "No limit is set on other processes and steal: they contaminate no trial."
    wait = (
        f"waits up to {quality.wait_for_quiet_s} s while" if quality.wait_for_quiet_s else "does not wait if"
    )
    again = f"repeated at most {_times(quality.retakes)}" if quality.retakes else "not repeated"
    return (
        f"Each trial {wait} {' or '.join(limits)}. A trial during which that happens, or whose window is "
        f"far too long, is contaminated: it is {again}, and excluded from all statistics if it stays "
        "contaminated. The rule uses no metric."
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
