/** The terms of the help page. */
import type { CellState, VerdictKind } from "@/api/types";

export const TERMS: readonly (readonly [string, string])[] = [
  ["cell, round, trial", "A cell is one level of every factor. A round is one pass over all cells in shuffled order. A trial is one cell in one round, run once."],
  ["n", "The number of trials that a figure is computed from. It counts rounds, not seconds: the seconds of one trial are not independent."],
  ["median, 95 % interval", "The median of the trials, and a distribution-free confidence interval for it. Fewer than 6 rounds give no interval."],
  ["ratio to baseline", "The cell divided by its baseline, paired by round, so that drift of the host during the run cancels out. Its interval is computed from all pairs, not from the ends of two intervals."],
  ["p, adjusted p", "The probability of a difference at least as large if there were none. The adjusted p is corrected for all comparisons of this metric in this run and for all interim analyses."],
  ["simultaneous CI", "Intervals that in 95 % of runs contain their true ratios all at once. Verdicts, headline and adjusted p come from the same procedure, so an interval excludes 1 exactly where the adjusted p is at most 0.05. An unadjusted interval is for one comparison alone; of twenty such intervals, one misses its true ratio on average. It is shown on request, and no verdict uses it."],
  ["transaction", "The unit of work for CPU per transaction: a transaction of pgbench, an HTTP request of wrk or ab, or a megabyte (10⁶ bytes) received by iperf3."],
  ["margin", "The largest difference that is irrelevant in practice, set before the run; 5 % by default."],
  ["A/A check", "The baseline runs twice in every round under two names. Suspect: the two differ, so differences in this run may be errors of measurement. Within the margin: the two are equivalent. Cannot tell: a difference as large as the margin could have been missed. Nothing shown: none of these."],
  ["published", "The study's own figures. The chart draws its ratio on this run's baseline, because the study used another host."],
];

export const PARTS: readonly (readonly [string, string])[] = [
  ["tied for best", "The cells among which the best one is, with 95 % confidence. Each cell is compared with the one with the best median; cells shown to be worse are excluded, and this run shows no difference between the others and the best."],
  ["cost per hop", "Each path against the path with no more hops from which the fewest hops differ, paired by round: the additional CPU per transaction in microseconds, and the change in throughput. The labels name the hops that are added and removed."],
  ["knee", "The load at which a sweep reaches its limit. With a latency limit: the highest offered rate whose latency stays under it. Without one: the load after which throughput falls. It is found in each round separately; the interval is over the rounds. “At least” means that the sweep ended before its knee."],
  ["open loop", "With an offered rate, latency is measured from the scheduled start of each transaction, so it includes the time that a transaction waits for slow ones before it. A closed loop sends the next request only after the answer, and does not measure that wait."],
  ["thresholds", "Limits in the definition. A cell passes where its whole 95 % interval is on the right side, and fails where it is wholly on the wrong side; otherwise there is not enough evidence. The run fails where one cell fails."],
  ["interim analyses, skipped", "With adaptive rounds, the run is analysed after fixed rounds. A cell that is decided then gets no further rounds: its remaining trials are skipped. p-values and intervals are corrected for all interim analyses, so repeated analyses do not produce more false differences."],
  ["drift", "Whether the baseline changed from the first round to the last (Kendall’s test). Comparisons are paired by round, so a slow drift cancels out of them, but not out of a single figure."],
  ["unsteady", "A trial whose rate rose, fell or jumped within its measured window. It is flagged and drawn in a ring, and included like every other trial."],
  ["compare", "Two runs, or two cells, B against A. Differences between their environments come first. Where host and environment agree, values are compared; otherwise ratios, each cell divided by its own run’s baseline. A blocking difference refuses the comparison, with the reasons; “Compare anyway” adds a warning."],
  ["imported", "A run that was read from earlier logs: the tool’s own figures, without evidence of the path and without CPU."],
  ["resolution", "The smallest difference that a plan can show: computed from the spread between equal trials on this host, or, with too few of them, from an assumption, which is stated."],
];

export const VERDICT_TEXTS: readonly (readonly [VerdictKind, string])[] = [
  ["better", "The adjusted p is at most 0.05 and the interval of the ratio excludes 1, in the better direction."],
  ["worse", "The same, in the worse direction."],
  ["different_within_margin", "There is a difference, but it is smaller than the margin."],
  ["equivalent", "The 90 % interval of the ratio is inside the margin."],
  ["no_difference_shown", "None of the above. The sentence names the differences that remain possible; this does not mean that there is none."],
  ["not_enough_rounds", "With so few rounds no result could be significant; the sentence states how many are needed."],
  ["undefined", "There is no comparison: the cell or its baseline has no figure in the same rounds, or a figure without a ratio. The sentence states which."],
];

export const ROLE_TEXTS: readonly (readonly [string, string])[] = [
  ["client", "The load generator: pgbench, wrk, ab or iperf3."],
  ["server", "The service under test: PostgreSQL, pong, Flask or the iperf3 server."],
  ["proxy", "docker-proxy, or a reverse proxy that copies the traffic in user space: nginx, haproxy, socat."],
  ["kernel", "Kernel threads: network work that is not attributed to a process. Hatched."],
  ["other", "Everything else that ran on the host, including the measurement itself."],
  ["unattributed", "The host’s CPU time minus all roles, idle and steal. Dotted. It is negative where these counters add up to more than the capacity; it is then not subtracted from the CPU used."],
  ["steal", "Time that the hypervisor gave to other machines. Striped."],
  ["idle", "Unused CPU time. With it the components add up to the CPU time of the host; it has no cost per transaction."],
];

export const STATE_TEXTS: readonly (readonly [CellState, string])[] = [
  ["measured", "Every planned trial is recorded."],
  ["partial", "Some trials are missing; n is the number of recorded ones."],
  ["waiting", "No trial has ended yet."],
  ["failed", "Its trials failed; each has its reason."],
  ["contradicted", "The traffic took another path than the one named."],
  ["not_proven", "A signal could not be read in any of its trials: the path is likely, but the figure is not drawn."],
  ["invalid", "The figures of its trials violate physical bounds, such as a negative CPU time; each trial has its reason."],
  ["contaminated", "Other processes, the hypervisor or the clock disturbed all of its trials beyond the limits of the experiment; each has its reason."],
  ["excluded", "Somebody excluded all of its trials after the run; each has its reason."],
  ["infeasible", "This host cannot run the cell, for the stated reason. In an imported run the state is “not imported”: no log of the cell was given."],
  ["cancelled", "The run was cancelled before this cell was complete."],
];
