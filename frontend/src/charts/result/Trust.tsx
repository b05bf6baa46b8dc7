import type { ChartModel } from "@/api/chart";
import { Card } from "@/components/Card";
import { Facts } from "@/components/Facts";
import { formatInterval, formatNumber, formatP, formatRatio, words } from "@/components/format";
import { State } from "@/components/State";
import { CLAIMS, type Told } from "@/components/states";
import { Note } from "@/components/Status";
import styles from "./Trust.module.css";

/** The claims of the published study, held against this run. */
export function Claims({ model }: { model: ChartModel }) {
  if (!model.study) return null;
  return (
    <Card title="Against the published study" note={`${model.study.title}. ${model.study.citation}. ${model.study.environment}.`}>
      <ul className={styles.claims}>
        {model.study.claims.map((claim) => (
          <li key={claim.text}>
            <State told={CLAIMS[claim.outcome]} />
            <div>
              <q>{claim.text}</q>
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
    <Card title="A/A check" note="The baseline cell runs twice in every round, under two names. They should not differ.">
      <ul className={styles.claims}>
        {model.duplicates.map((check) => (
          <li key={`${check.cell_id} ${check.metric}`}>
            <State told={told(check)} />
            <div>
              {check.sentence}
              <p>
                {check.metric}: ratio {formatRatio(check.ratio)}, 95 % interval {formatInterval(check.interval, 3)}, p {formatP(check.p)}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function told(check: ChartModel["duplicates"][number]): Told {
  if (check.suspect) return { glyph: "!", word: "suspect", tone: "bad" };
  if (check.interval === null) return { glyph: "?", word: "too few rounds", tone: "warn" };
  return { glyph: "✓", word: "passed", tone: "good" };
}

export function Warnings({ model }: { model: ChartModel }) {
  if (model.warnings.length === 0) return null;
  return (
    <Note tone="warn">
      <strong>{model.warnings.length === 1 ? "One warning" : `${model.warnings.length} warnings`} about this run</strong>
      <ul className={styles.warnings}>
        {model.warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </Note>
  );
}

/** Where it ran, and the seed and margin that make it repeatable. */
export function Environment({ model }: { model: ChartModel }) {
  const facts = Object.entries(model.environment).map(([name, value]) => [words(name), value] as const);
  return (
    <Card title="Environment" note="What the figures hold for">
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
