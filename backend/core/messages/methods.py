"""The statistical methods, as reports describe them."""

from __future__ import annotations

from typing import Final

METHODS: Final = {
    "methodDesign": "Design",
    "methodDesignHow": (
        "Randomised complete blocks: every round runs each cell once, in an order shuffled by the seed. One"
        " trial is one observation; its seconds are not counted as several."
    ),
    "methodStarts": "Server starts",
    "methodStartsHow": (
        "Servers are restarted every so many rounds, chosen from effect and duration of earlier starts on "
        "the host; an A/A duplicate has a server of its own. Cells that share a running server are paired "
        "by round; for cells with separate servers, all rounds of the same two starts are one value, the "
        "mean of the logarithms."
    ),
    "methodMedian": "Median and its interval",
    "methodMedianHow": (
        "The median of the trials with the 95 % interval of order statistics, of this cell alone; no value "
        "is dropped."
    ),
    "methodAgainstBaseline": "Cell against baseline",
    "methodAgainstBaselineHow": (
        "Paired by round: exact Wilcoxon signed-rank test on the logarithms of the ratios, with zeros and "
        "ties by the permutation distribution. The estimand is the pseudo-median of the paired ratios; its "
        "estimate is the Hodges-Lehmann ratio, its interval is made of Walsh averages."
    ),
    "methodMany": "Many comparisons",
    "methodManyHow": (
        "The comparisons of one metric in one run are a family, A/A duplicates another. Intervals have 95 %"
        " simultaneous coverage over the family, and an adjusted p is at most 5 % exactly where its "
        "interval excludes no difference: single-step max-T over joint sign flips of rounds, capped by "
        "Bonferroni. A run with interim analyses uses 5 % ÷ their number at each."
    ),
    "methodEquivalence": "Equivalence",
    "methodEquivalenceHow": (
        "Equivalent where the ratio's interval lies within the margin that was set before the run; its "
        "level keeps the probability of any false equivalence in the family at 5 % or less. For a single "
        "comparison it is the 90 % interval."
    ),
    "methodAa": "A/A",
    "methodAaHow": (
        "Each baseline is measured twice under two names; a difference between the two can only come from "
        "the measurement itself. Each duplicate is tested separately at 5 %, so many baselines do not "
        "weaken the check: suspect, within the margin (equivalence shown), cannot tell (a difference of the"
        " margin could have been missed), or nothing shown."
    ),
    "methodPath": "Path",
    "methodPathHow": (
        "Each trial's path is checked by observed traffic; without proof a trial is in no statistic."
    ),
    "methodCpu": "CPU by role",
    "methodCpuHow": (
        "From the scheduler's nanosecond clocks and the control groups' counters at both ends of the "
        "measured window; roles, idle, steal and the unattributed rest add up to the host's cores."
    ),
}
