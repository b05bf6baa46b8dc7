import { Card } from "@/components/Card";
import { PageHead } from "@/components/PageHead";
import { State } from "@/components/State";
import { CELL_STATES, EVIDENCE, VERDICTS } from "@/components/states";
import { useTitle } from "@/components/useTitle";
import styles from "./HelpPage.module.css";
import { PARTS, ROLES_TOLD, STATES_TOLD, VERDICTS_TOLD, WORDS } from "./texts";

/** How to read the results, and the keys. */
export function HelpPage() {
  useTitle("Help");
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Help" }]} title="How to read the results" />
      <div className={styles.columns}>
        <Card title="Interval, ratio, p" id="figures">
          <dl className={styles.terms}>
            {WORDS.map(([term, text]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="Parts of a result" id="parts" note="Each is there only where the run has it">
          <dl className={styles.terms}>
            {PARTS.map(([term, text]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="The verdicts" id="verdicts" note="Exactly one for each comparison, fixed before the run">
          <dl className={styles.terms}>
            {VERDICTS_TOLD.map(([kind, text]) => (
              <div key={kind}>
                <dt>
                  <State told={VERDICTS[kind]} />
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="Evidence" id="evidence" note="A label is not a proof: each trial shows what was seen on the wire">
          <dl className={styles.terms}>
            <div>
              <dt><State told={EVIDENCE.proven} /></dt>
              <dd>Two independent signals agree with the hops that the path claims, and the signals of every other path are near zero.</dd>
            </div>
            <div>
              <dt><State told={EVIDENCE.not_proven} /></dt>
              <dd>A signal could not be read on this host. The trial is kept and shown, and takes no part in the statistics.</dd>
            </div>
            <div>
              <dt><State told={EVIDENCE.contradicted} /></dt>
              <dd>The bytes went another way. The cell fails, with the evidence shown, and is never drawn as a number.</dd>
            </div>
          </dl>
        </Card>
        <Card title="CPU by role" id="roles" note="In cores while the client runs, or in microseconds for each transaction; together they are all that the host had">
          <dl className={styles.terms}>
            {ROLES_TOLD.map(([role, text]) => (
              <div key={role}>
                <dt>{role}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="States of a cell" id="states">
          <dl className={styles.terms}>
            {STATES_TOLD.map(([state, text]) => (
              <div key={state}>
                <dt><State told={CELL_STATES[state]} /></dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <Card title="Keys" id="keys">
          <dl className={styles.terms}>
            <div><dt><kbd>?</kbd></dt><dd>this page</dd></div>
            <div><dt><kbd>n</kbd></dt><dd>a new experiment</dd></div>
            <div><dt><kbd>u</kbd></dt><dd>one depth up: from a trial to its cell, to its run, to the start</dd></div>
            <div><dt><kbd>Esc</kbd></dt><dd>closes a dialog</dd></div>
          </dl>
        </Card>
      </div>
    </>
  );
}
