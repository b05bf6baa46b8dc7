import { errorsAt, type FieldError } from "@/api/errors";
import type { ExperimentDraft, Level, Sweep } from "@/api/draft";
import type { Host } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { Chip, ChipField } from "@/components/Field";
import { formatNumber } from "@/components/format";
import { Note } from "@/components/Status";
import type { Definition } from "@/components/useDefinition";
import type { YamlProblem } from "@/components/yaml";
import { messages } from "@/messages";
import { Baseline } from "./Baseline";
import styles from "./DefinitionForm.module.css";
import { withField, withTitle } from "./document";
import { FactorGroups } from "./FactorGroups";
import { Limits } from "./Limits";
import { withChosenLevels, withService, reportedMetrics } from "./nesting";
import { NoiseLimits } from "./NoiseLimits";
import { Profile } from "./Profile";
import { RoundsFields } from "./RoundsFields";
import { Rules } from "./Rules";
import { Text } from "./TextFields";

const t = messages("experiments");

interface Props {
  definition: Definition;
  /** Why the text cannot be parsed. */
  problem: YamlProblem | null;
  factors: Factors;
  errors: readonly FieldError[];
  host: Host | undefined;
}

/** The definition as a form; errors are the server's. While its text cannot be parsed, the form shows the last version that could be, and cannot be changed. */
export function DefinitionForm({ definition, problem, factors, errors, host }: Props) {
  const { document: written, onDocument: onChange, discard } = definition;
  const document = withService(written, factors);
  const onLevels = (factor: Factor, levels: readonly Level[] | Sweep) => onChange(withChosenLevels(document, factors, factor, levels));
  const onTyped = (factor: Factor, levels: readonly Level[] | Sweep) => onChange(withField(document, factor, levels));
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {problem !== null && (
        <Note tone="warn">
          {t("correctFirst", { line: problem.line })} <Button onClick={discard}>{t("discardText")}</Button>
        </Note>
      )}
      <fieldset className={styles.form} disabled={problem !== null}>
      <div className={styles.two}>
        <Text label={t("title")} value={document.title} errors={errorsAt(errors, "/title")} onChange={(title) => onChange(withTitle(document, title))} />
        <Text label={t("name")} hint={t("nameHint")} value={document.name} errors={errorsAt(errors, "/name")} onChange={(name) => onChange({ ...document, name })} />
      </div>
      <FactorGroups document={document} vocabulary={factors} errors={errors} host={host} onLevels={onLevels} onTyped={onTyped} />
      <section className={styles.group} aria-labelledby="rounds-heading">
        <h3 id="rounds-heading">{t("roundsAndVerdict")}</h3>
        <RoundsFields document={document} onChange={onChange} errors={errors} />
        <Baseline document={document} onChange={onChange} factors={factors} errors={errors} />
        <Metrics document={document} onChange={onChange} factors={factors} errors={errors} />
        <Limits document={document} onChange={onChange} errors={errors} />
        <NoiseLimits document={document} onChange={onChange} errors={errors} />
        <Profile document={document} onChange={onChange} errors={errors} />
      </section>
      <Rules kind="exclude" document={document} onChange={onChange} factors={factors} errors={errors} />
      <Rules kind="include" document={document} onChange={onChange} factors={factors} errors={errors} />
      </fieldset>
    </form>
  );
}

interface MetricsProps extends Pick<Props, "factors" | "errors"> {
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
}

/** The metrics of the chosen tools, and chosen ones that are unknown, which can be removed. */
function Metrics({ document, onChange, factors, errors }: MetricsProps) {
  const chosen = Array.isArray(document.metrics) ? document.metrics : [];
  const offered = reportedMetrics(document, factors);
  const label = (name: string) => factors.metrics.find((metric) => metric.name === name)?.label ?? name;
  const names = [...offered.map((metric) => metric.name), ...chosen.filter((name) => !offered.some((metric) => metric.name === name))];
  return (
    <ChipField
      label={t("metrics")}
      count={t("chosenOf", { count: chosen.length, of: formatNumber(offered.length) })}
      errors={errorsAt(errors, "/metrics")}
      hint={chosen[0] === undefined ? t("metricsNone") : t("metricsHint", { metric: label(chosen[0]) })}
    >
      {names.map((name) => (
        <Chip
          key={name}
          on={chosen.includes(name)}
          onToggle={() => onChange({ ...document, metrics: chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name] })}
        >
          {label(name)}
        </Chip>
      ))}
    </ChipField>
  );
}
