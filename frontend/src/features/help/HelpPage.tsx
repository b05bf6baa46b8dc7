import { Link } from "react-router";
import { Card } from "@/components/Card";
import { PageHead } from "@/components/PageHead";
import { keysText } from "@/components/shortcuts";
import { State } from "@/components/State";
import { CELL_STATES, EVIDENCE, OUTCOMES } from "@/components/stateLabels";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./HelpPage.module.css";
import { parts, roleTexts, stateTexts, terms, verdictTexts } from "./texts";

const t = messages("help");

const evidenceTexts = () => [
  ["proven", t("evidenceProven")],
  ["not_proven", t("evidenceNotProven")],
  ["contradicted", t("evidenceContradicted")],
] as const;

const keys = () => [
  ["?", t("keyShortcuts")],
  [keysText("mod+k"), t("keyPalette")],
  ["n", t("keyNew")],
  ["u", t("keyUp")],
  ["Esc", t("keyEscape")],
] as const;

/** The help page: terms of the results, and keyboard shortcuts. */
export function HelpPage() {
  useTitle(t("help"));
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("help") }]} title={t("title")} actions={<Link to="/api-docs">{t("api")}</Link>} />
      <div className={styles.columns}>
        <Terms title={t("figures")} id="figures" terms={terms()} />
        <Terms title={t("parts")} id="parts" note={t("partsNote")} terms={parts()} />
        <Terms title={t("verdicts")} id="verdicts" note={t("verdictsNote")} terms={verdictTexts().map(([kind, text]) => [<State key={kind} label={OUTCOMES[kind]} />, text])} />
        <Terms title={t("evidence")} id="evidence" note={t("evidenceNote")} terms={evidenceTexts().map(([kind, text]) => [<State key={kind} label={EVIDENCE[kind]} />, text])} />
        <Terms title={t("roles")} id="roles" note={t("rolesNote")} terms={roleTexts()} />
        <Terms title={t("states")} id="states" terms={stateTexts().map(([state, text]) => [<State key={state} label={CELL_STATES[state]} />, text])} />
        <Terms title={t("keys")} id="keys" terms={keys().map(([key, text]) => [<kbd key={key}>{key}</kbd>, text])} />
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
