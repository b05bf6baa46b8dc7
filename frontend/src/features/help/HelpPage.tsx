import { Card } from "@/components/Card";
import { PageHead } from "@/components/PageHead";
import { State } from "@/components/State";
import { CELL_STATES, EVIDENCE, VERDICTS } from "@/components/stateLabels";
import { useTitle } from "@/components/useTitle";
import styles from "./HelpPage.module.css";
import { PARTS, ROLE_TEXTS, STATE_TEXTS, TERMS, VERDICT_TEXTS } from "./texts";

const EVIDENCE_TEXTS = [
  ["proven", "Two independent signals agree with the hops of the path, and the signals of all other paths are near zero."],
  ["not_proven", "A signal could not be read on this host. The trial is recorded and shown, and excluded from the statistics."],
  ["contradicted", "The traffic took another path. The cell fails and shows the evidence, but no figure."],
] as const;

const KEYS = [
  ["?", "this page"],
  ["n", "a new experiment"],
  ["u", "one level up: from a trial to its cell, to its run, to the start page"],
  ["Esc", "closes a dialog"],
] as const;

/** The help page: terms of the results, and keyboard shortcuts. */
export function HelpPage() {
  useTitle("Help");
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Help" }]} title="How to read the results" />
      <div className={styles.columns}>
        <Terms title="Interval, ratio, p" id="figures" terms={TERMS} />
        <Terms title="Parts of a result" id="parts" note="Each is shown only where the run has it" terms={PARTS} />
        <Terms title="Verdicts" id="verdicts" note="Exactly one for each comparison, by rules fixed before the run" terms={VERDICT_TEXTS.map(([kind, text]) => [<State key={kind} label={VERDICTS[kind]} />, text])} />
        <Terms title="Evidence" id="evidence" note="Each trial records which signals of its path were observed" terms={EVIDENCE_TEXTS.map(([kind, text]) => [<State key={kind} label={EVIDENCE[kind]} />, text])} />
        <Terms title="CPU by role" id="roles" note="In cores while the client runs, or in microseconds per transaction; the components add up to the CPU time of the host" terms={ROLE_TEXTS} />
        <Terms title="States of a cell" id="states" terms={STATE_TEXTS.map(([state, text]) => [<State key={state} label={CELL_STATES[state]} />, text])} />
        <Terms title="Keyboard shortcuts" id="keys" terms={KEYS.map(([key, text]) => [<kbd key={key}>{key}</kbd>, text])} />
      </div>
    </>
  );
}

/** A card of terms with their explanations. */
function Terms({ title, id, note, terms }: { title: string; id: string; note?: string; terms: readonly (readonly [React.ReactNode, string])[] }) {
  return (
    <Card title={title} id={id} note={note}>
      <dl className={styles.terms}>
        {terms.map(([term, text]) => (
          <div key={text}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
