/** What the help says about each word of the result. */
import type { CellState, VerdictKind } from "@/api/chart";

export const WORDS: readonly (readonly [string, string])[] = [
  ["cell, round, trial", "A cell is one level of every factor. A round is one pass over all cells in shuffled order. A trial is one cell in one round, run once."],
  ["n", "The number of trials that a figure rests on. It counts rounds, not seconds: seconds inside one trial are not independent."],
  ["median, 95 % interval", "The middle of the trials, and a distribution-free interval for it. With fewer than 6 rounds there is none."],
  ["ratio to baseline", "The cell divided by its baseline, paired by round, so that drift of the host over the run cancels out. Its interval is computed from all pairs, never from the ends of two intervals."],
  ["p, adjusted p", "The chance of a difference at least as large if there were none; the smaller print is adjusted for all comparisons of this metric in this run, and for interim analyses."],
  ["simultaneous CI", "Intervals of which all hold their true ratio at once in 95 % of runs: verdicts, headline and adjusted p are of one procedure, so that an interval excludes 1 exactly where the adjusted p is at most 0.05. An unadjusted interval holds for one comparison alone; of twenty such intervals one misses on average. It is shown on request and judges nothing."],
  ["transaction", "What CPU is told by: a transaction of pgbench, an HTTP request of wrk or ab, or a megabyte (10⁶ bytes) that iperf3’s receiver got."],
  ["margin", "The difference that you would not care about, set before the run: 5 % unless the definition says otherwise."],
  ["A/A check", "The baseline runs twice in every round under two names. Suspect: they differ, so that differences in the run may come from the apparatus. Within the margin: shown to be equivalent. Cannot tell: a difference as large as the margin could have been missed. Nothing shown: none of these."],
  ["published", "The study's own figures. On the chart its ratio is drawn on this run's baseline, because its host was another one."],
];

export const PARTS: readonly (readonly [string, string])[] = [
  ["tied for best", "The cells among which the best one lies with 95 % confidence. Each cell is held against the one with the best median; those shown to be behind it are out, the others cannot be told from it by this run."],
  ["price of each hop", "Each path against the nearest one with no more hops, the one from which the fewest hops differ, round by round: how many microseconds of CPU it costs more per transaction, and how much throughput. The chips name the hops that come and go."],
  ["knee", "Where a sweep bends. With a latency limit: the highest offered rate whose latency stays under it. Without one: the load after which throughput falls. It is found in each round by itself; the interval is that of the rounds. “At least” means that the sweep ended before it bent."],
  ["open loop", "With an offered rate, latency counts from the moment at which each transaction was due, so that waiting for a slow answer before it is part of it. A closed loop asks the next question only after the answer, and never sees that wait."],
  ["gate", "Thresholds written into the definition. A cell passes where its whole 95 % interval lies on the right side and fails where it lies wholly on the wrong side; in between there is not enough evidence. The gate fails where one cell fails."],
  ["looks, spared", "A run may spend its rounds where they decide: after fixed rounds it looks, and cells whose answer is clear get no further ones; their trials are spared. The p-values are multiplied by the number of looks and the intervals hold over all of them, so that looking often does not find more than there is."],
  ["drift", "Whether the baseline moved from the first round to the last (Kendall’s test). Comparisons are paired by round, so that a slow drift cancels out of them; a figure by itself does not have that protection."],
  ["unsteady", "A trial whose rate rose, fell or jumped within its own window. It is flagged and drawn in a ring; it counts like every other."],
  ["compare", "Two runs, or two cells, B against A. What differs between their environments stands first. By values where host and environment agree; by ratios, each cell over its own run’s baseline, where they do not. Where something decisive differs it is refused, with the reasons; “compare anyway” leaves a banner."],
  ["imported", "A run that was read from old logs: the tool’s own figures, without evidence of the path and without CPU."],
  ["resolution", "How small a difference a plan can show: from the spread between equal trials measured on this host, where there are enough, else from an assumption that is named as one."],
];

export const VERDICTS_TOLD: readonly (readonly [VerdictKind, string])[] = [
  ["better", "The adjusted p is at most 0.05 and the interval of the ratio excludes 1, in the good direction."],
  ["worse", "The same, in the bad direction."],
  ["different_within_margin", "There is a difference, but it is smaller than the margin."],
  ["equivalent", "The 90 % interval of the ratio lies inside the margin."],
  ["no_difference_shown", "Neither: the sentence says which differences remain possible. It does not say that there is none."],
  ["not_enough_rounds", "With this few rounds no result could be significant; the sentence says how many are needed."],
  ["undefined", "There is no comparison: the cell or its baseline has no figure in the same rounds, or one that has no ratio. The sentence says which."],
];

export const ROLES_TOLD: readonly (readonly [string, string])[] = [
  ["client", "The tool that makes the load: pgbench, wrk, ab or iperf3."],
  ["server", "The service that is asked: PostgreSQL, pong, Flask or the iperf3 server."],
  ["proxy", "docker-proxy, or another program in front that copies the bytes in user space: nginx, haproxy, socat."],
  ["kernel", "Kernel threads: work for the network that no process is charged for. Hatched."],
  ["other", "Everything else that ran on the host, the measuring itself included."],
  ["unattributed", "What is left of the host’s cores when every role, idle and steal are taken off. Dotted. It is below zero where these counters add up to more than the host had: then they disagree, and nothing is taken off the work."],
  ["steal", "Time that the hypervisor gave to others. Striped."],
  ["idle", "What no one used. With it the bar closes at all that the host had; it has no cost per transaction."],
];

export const STATES_TOLD: readonly (readonly [CellState, string])[] = [
  ["measured", "Every planned trial is there."],
  ["partial", "Some trials are missing; n says how many are there."],
  ["waiting", "No trial has ended yet."],
  ["failed", "Its trials failed; each says why."],
  ["contradicted", "The path was not the one that the label names."],
  ["not_proven", "A signal could not be read in any of its trials: the path is likely, but the figure is not drawn."],
  ["invalid", "The figures of its trials break physical bounds, such as a negative CPU time; each trial says which."],
  ["contaminated", "Other processes, the hypervisor or the clock disturbed all of its trials beyond the limits of the experiment; each says how."],
  ["infeasible", "This host cannot run it; the reason stands beside it. In an imported run the same mark says “not imported”: no log of the cell was given."],
  ["cancelled", "The run was cancelled before this cell was complete."],
];
