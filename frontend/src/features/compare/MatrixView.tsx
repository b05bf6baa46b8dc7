import type { CompareColumnsData, ComparisonMatrix } from "@/api/generated";
import { MATRIX_EXPORTS, matrixExportUrl } from "@/api/exports";
import type { Basis } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatPercent } from "@/components/format";
import { Select } from "@/components/Select";
import { State, StateBadge } from "@/components/State";
import { COMPARABLES, IMPORTED, RUN_STATES } from "@/components/stateLabels";
import { Note } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import type { AddressChanges } from "@/components/useAddress";
import { messages } from "@/messages";
import { MatrixDifferences } from "./MatrixDifferences";
import { MatrixTable } from "./MatrixTable";
import styles from "./MatrixView.module.css";

const t = messages("compare");

interface Props {
  model: ComparisonMatrix;
  /** The comparison's own request, for its files. */
  query: CompareColumnsData["query"];
  /** Whether the figures of another choice are shown until those of this one arrive. */
  stale: boolean;
  onChange: (changes: AddressChanges) => void;
}

/** A comparison of several runs: environments first, then the matrix. */
export function MatrixView({ model, query, stale, onChange }: Props) {
  const notComparable = model.columns.filter(({ overridable, refused }) => refused && overridable);
  return (
    <div className={styles.view} aria-busy={stale}>
      {model.overridden && <Note tone="bad"><strong>{t("overridden")}</strong> {t("overriddenText")}</Note>}
      <Comparability model={model} />
      <MatrixDifferences model={model} />
      {notComparable.length > 0 && (
        <Note tone="warn">
          {t("columnsRefused", { count: notComparable.length, columns: notComparable.map(({ letter }) => letter).join(", ") })}{" "}
          <Button kind="danger" onClick={() => onChange({ override: "1" })}>{t("compareAnyway")}</Button>
        </Note>
      )}
      <Warnings model={model} />
      <Card
        title={t("matrix")}
        note={model.refused ? t("nothingCompared") : t("matrixNote", { reference: model.columns[model.reference]!.letter, better: model.better === "higher" ? t("higherIsBetter") : t("lowerIsBetter") })}
        flush={!model.refused}
        actions={
          <>
            {model.metric !== null && <Select label={t("metric")} options={model.metrics.map(({ metric, label }) => ({ value: metric, label }))} value={model.metric} onChange={(metric) => onChange({ metric })} />}
            <Toggle<Basis> label={t("basis")} options={[{ value: "values", label: t("values"), title: t("valuesTitle") }, { value: "ratios", label: t("ratios"), title: t("ratiosTitle") }]} value={model.basis} onChange={(basis) => onChange({ basis })} />
          </>
        }
      >
        {model.refused ? <p>{t("nothingComparedText")}</p> : <MatrixTable model={model} />}
      </Card>
      {!model.refused && <Files query={query} />}
      {model.methods.length > 0 && <Methods model={model} />}
    </div>
  );
}

function Comparability({ model }: { model: ComparisonMatrix }) {
  return (
    <Card title={t("columnsCompared")} note={t("columnsComparedNote", { reference: model.columns[model.reference]!.letter })}>
      <ul className={styles.judged}>
        {model.columns.map((column) => (
          <li key={column.letter}>
            <b>{column.letter}</b> <bdi>{column.title}</bdi>{" "}
            {column.is_reference ? <span className={styles.badge}>{t("reference")}</span> : <State label={COMPARABLES[column.comparable]} />}
            {column.state !== "done" && <StateBadge label={RUN_STATES[column.state]} />}
            {column.origin === "imported" && <StateBadge label={IMPORTED} />}
            {column.reasons.map((reason) => (
              <p key={reason} className={styles.quiet}>{reason}</p>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Warnings({ model }: { model: ComparisonMatrix }) {
  const unknown = model.columns.filter(({ run_spread: spread }) => spread && spread.percent === null).map(({ letter }) => letter);
  return (
    <>
      {unknown.length > 0 && <Note tone="warn">{t("spreadUnknown", { count: unknown.length, columns: unknown.join(", ") })}</Note>}
      {model.warnings.map((warning) => (
        <Note key={`${warning.id} ${warning.columns.join()}`} tone="warn">
          {warning.id === "unfinished" && t("warningUnfinished", { columns: warning.columns.join(", ") })}
          {warning.id === "other_rounds" && t("warningOtherRounds")}
          {warning.id === "own_baselines" && t("warningOwnBaselines")}
          {["not_comparable", "aa_check", "interim_analyses"].includes(warning.id) && warning.text}
        </Note>
      ))}
    </>
  );
}

function Files({ query }: { query: Props["query"] }) {
  const about = { csv: t("csvAbout"), json: t("jsonAbout"), markdown: t("markdownAbout") };
  return (
    <Card title={t("files")}>
      <ul className={styles.files}>
        {MATRIX_EXPORTS.map((format) => (
          <li key={format}>
            <a href={matrixExportUrl(query, format)} download="">{{ csv: "CSV", json: "JSON", markdown: "Markdown" }[format]}</a> <span className={styles.quiet}>{about[format]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Methods({ model }: { model: ComparisonMatrix }) {
  const known = model.columns.filter(({ run_spread: spread }) => spread?.percent != null);
  return (
    <Card title={t("methods")}>
      <ul className={styles.methods}>
        {model.methods.map((method) => (
          <li key={method}>{method}</li>
        ))}
        {known.map(({ letter, run_spread: spread }) => (
          <li key={letter}>{t("spreadKnown", { column: letter, percent: formatPercent(spread!.percent! / 100), runs: spread!.runs })}</li>
        ))}
        <li>{t("marginIs", { margin: formatPercent(model.margin) })}</li>
      </ul>
    </Card>
  );
}
