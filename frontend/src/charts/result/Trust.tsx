import { Link } from "react-router";
import type { ChartModel } from "@/api/chart";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatInterval, formatNumber, formatP, formatRatio, formatSigned, plural, words } from "@/components/format";
import { State } from "@/components/State";
import { AA_OUTCOMES, claimParts, claimTold } from "@/components/states";
import { Note } from "@/components/Status";
import { gathered, type Gathered } from "@/components/warnings";
import styles from "./Trust.module.css";

/** The claims of the published study, held against this run. */
export function Claims({ model }: { model: ChartModel }) {
  if (!model.study) return null;
  return (
    <Card title="Against the published study" note={`${model.study.title}. ${model.study.citation}. ${model.study.environment}.`}>
      {model.trust && <Note tone="warn">{model.trust}</Note>}
      <ul className={styles.claims}>
        {model.study.claims.map((claim) => (
          <li key={claim.text}>
            <State told={claimTold(claim)} />
            <div>
              <q>{claim.text}</q>
              {claimParts(claim).map((part) => (
                <div key={part.word}>
                  <State told={part} />
                </div>
              ))}
              <p>{claim.detail}</p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The baseline measured twice: what this run calls a difference where there is none. */
export function DuplicateChecks({ model }: { model: ChartModel }) {
  if (model.duplicates.length === 0) return null;
  return (
    <Card title="A/A check" note="The baseline cell runs twice in every round, under two names: a difference can only come from the apparatus">
      <ul className={styles.claims}>
        {model.duplicates.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State told={AA_OUTCOMES[check.outcome ?? "cannot_tell"]} />
            <div>
              {check.sentence}
              <p>
                {check.metric}: ratio {formatRatio(check.ratio)}, 95 % interval of this duplicate alone {formatInterval(check.interval, 3)}, p {formatP(check.p)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Whether a baseline moved while the run ran. */
export function DriftChecks({ model }: { model: ChartModel }) {
  if (model.drifts.length === 0) return null;
  return (
    <Card title="Drift" note="Whether a baseline moved from the first round to the last. Comparisons are paired by round, so that drift cancels out of them">
      <ul className={styles.claims}>
        {model.drifts.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State told={check.significant ? { glyph: "!", word: "moved", tone: "warn" } : { glyph: "✓", word: "none shown", tone: "good" }} />
            <div>
              {check.sentence}
              <p>
                {check.metric}: {formatSigned(check.change * 100, 1)} % over {plural(check.n, "round")}, Kendall’s p {formatP(check.p)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface WarningsProps {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** What was noticed while it ran, by kind: in how many cells, with figures and what to do. */
export function Warnings({ model, cellHref }: WarningsProps) {
  const kinds = gathered(
    // What the host's noise did stands beside the headline.
    model.warnings.filter((text) => text !== model.quality?.sentence),
    model.cells.map(({ id, label, warnings }) => ({ label, warnings, href: cellHref?.(id) ?? null })),
  );
  if (kinds.length === 0) return null;
  return (
    <Card title={plural(kinds.length, "kind of warning", "kinds of warnings")} note="What was noticed while it ran. A figure with a warning is measured as it says; read it with that in mind">
      <ul className={styles.warnings}>
        {kinds.map((kind) => (
          <Kind key={kind.title} kind={kind} all={model.cells.length} />
        ))}
      </ul>
    </Card>
  );
}

function Kind({ kind: { title, advice, cells }, all }: { kind: Gathered; all: number }) {
  return (
    <li>
      <span className={styles.glyph} aria-hidden="true">⚠</span>
      <div>
        <p className={cells.length > 0 ? styles.kind : undefined}>{title}</p>
        {advice && <p className={styles.quiet}>{advice}</p>}
        {cells.length > 0 && (
          <details>
            <summary>
              in {formatNumber(cells.length)} of {plural(all, "cell")}
            </summary>
            <ul className={styles.places}>
              {cells.map(({ label, href, figure, trials }) => (
                <li key={label}>
                  {href ? <Link to={href}>{label}</Link> : label}
                  {figure && `: ${figure}`}
                  {trials && <span className={styles.quiet}> in {trials.count} of {trials.of} trials</span>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}

/** Where it ran, and the seed and margin that make it repeatable. */
export function Environment({ model, hostHref }: { model: ChartModel; hostHref?: string }) {
  const facts = Object.entries(model.environment).map(([name, value]) => [words(name), value] as const);
  return (
    <Card title="Environment" note="What the figures hold for" actions={hostHref && <Link to={hostHref}>What this host can run</Link>}>
      <Facts
        facts={[
          ["seed of the order", String(model.seed)],
          ["rounds complete", `${model.rounds_complete} of ${model.rounds_planned}`],
          ["equivalence margin", `${formatNumber(model.margin * 100, 1)} %`],
          ...facts,
        ]}
      />
    </Card>
  );
}
