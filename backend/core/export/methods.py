"""How the figures of a result were made, in words for its reader: one row a method, with its source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Method:
    """One method: what it answers, how, and where it comes from."""

    what: str
    how: str
    source: str


METHODS: Final = (
    Method(
        "Design",
        "Randomised complete blocks: every round runs each cell once, in an order shuffled by the seed. "
        "One trial is one observation; its seconds are not counted as several.",
        "Montgomery, Design and Analysis of Experiments, chapter 4",
    ),
    Method(
        "Server starts",
        "Servers are restarted every so many rounds, chosen from what starts have changed on the host and "
        "what they take; an A/A duplicate has a server of its own. Cells that share a running server are "
        "paired by round; of cells with a server each, all rounds of the same two starts are one value, the "
        "mean of the logarithms.",
        "Kalibera and Jones 2013, Rigorous Benchmarking in Reasonable Time",
    ),
    Method(
        "Median and its interval",
        "The median of the trials with the 95 % interval of order statistics, of this cell alone; no value "
        "is dropped.",
        "golang.org/x/perf benchmath; aclements/go-moremath stats.QuantileCI",
    ),
    Method(
        "Cell against baseline",
        "Paired by round: exact Wilcoxon signed-rank test on the logarithms of the ratios, with zeros and "
        "ties by the permutation distribution. The estimand is the pseudo-median of the paired ratios; its "
        "estimate is the Hodges-Lehmann ratio, its interval is made of Walsh averages.",
        "Wilcoxon 1945; Hodges and Lehmann 1963; Hollander and Wolfe, chapter 3",
    ),
    Method(
        "Many comparisons",
        "The comparisons of one metric in one run are a family, A/A duplicates another. Intervals hold 95 % "
        "simultaneously over the family, and an adjusted p is at most 5 % exactly where its interval "
        "excludes no difference: single-step max-T over joint sign flips of rounds, capped by Bonferroni. "
        "A run with interim analyses spends 5 % ÷ their number at each.",
        "Westfall and Young 1993; Romano and Wolf 2005; Hothorn, Bretz and Westfall 2008",
    ),
    Method(
        "Equivalence",
        "Equivalent where the ratio's interval lies within the margin that was set before the run; it is "
        "made so that any of the family is falsely called equivalent in at most 5 % of runs. Of one "
        "comparison alone it is the 90 % interval.",
        "Schuirmann 1987",
    ),
    Method(
        "A/A",
        "Each baseline is measured twice under two names; a difference between the two can only come from "
        "the apparatus. Each duplicate is judged by itself at 5 %, so that many baselines do not make the "
        "check milder: suspect, within the margin (equivalence shown), cannot tell (a difference of the "
        "margin could have been missed), or nothing shown.",
        "",
    ),
    Method(
        "Path",
        "Each trial's path is checked on the link; trials whose path is not proven take no part.",
        "",
    ),
    Method(
        "CPU by role",
        "From the scheduler's nanosecond clocks and the control groups' counters at both ends of the "
        "measured window; roles, idle, steal and the rest that belongs to nobody add up to the host's cores.",
        "",
    ),
)
