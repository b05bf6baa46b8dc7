import type { FieldError } from "@/api/client";
import type { ExperimentDocument, Factor, Factors, Host, Level } from "@/api/types";
import { Baseline } from "./Baseline";
import { Chip, ChipField } from "./Field";
import styles from "./DefinitionForm.module.css";
import { ExcludeRules } from "./ExcludeRules";
import { FactorGroups } from "./FactorGroups";
import { errorsAt } from "./fieldErrors";
import { changed, withService, yielded } from "./nesting";
import { Count, Text } from "./TextFields";

interface Props {
  document: ExperimentDocument;
  onChange: (document: ExperimentDocument) => void;
  factors: Factors;
  errors: readonly FieldError[];
  host: Host | undefined;
}

/** The definition as fields; the server says what is wrong with any of them. */
export function DefinitionForm({ document: written, onChange, factors, errors, host }: Props) {
  const document = withService(written, factors);
  const onLevels = (factor: Factor, levels: readonly Level[]) => onChange(changed(document, factors, factor, levels));
  return (
    <form className={styles.form} onSubmit={(event) => event.preventDefault()}>
      <div className={styles.two}>
        <Text label="Title" value={document.title} errors={errorsAt(errors, "/title")} onChange={(title) => onChange({ ...document, title })} />
        <Text label="Name" hint="lower case letters, digits, . _ -" value={document.name} errors={errorsAt(errors, "/name")} onChange={(name) => onChange({ ...document, name })} />
      </div>
      <FactorGroups document={document} vocabulary={factors} errors={errors} host={host} onLevels={onLevels} />
      <section className={styles.group} aria-labelledby="rounds-heading">
        <h3 id="rounds-heading">Rounds and verdict</h3>
        <div className={styles.lists}>
          <Count label="Rounds" hint="10 or more; fewer than 6 give no verdict" value={document.rounds} errors={errorsAt(errors, "/rounds")} onChange={(rounds) => onChange({ ...document, rounds })} />
          <Count label="Seed" hint="of the shuffled order" value={document.seed} errors={errorsAt(errors, "/seed")} onChange={(seed) => onChange({ ...document, seed })} />
          <Count label="Equivalence margin" hint="0.05 is 5 %" value={document.margin ?? 0.05} errors={errorsAt(errors, "/margin")} onChange={(margin) => onChange({ ...document, margin })} />
        </div>
        <Baseline document={document} onChange={onChange} factors={factors} errors={errors} />
        <Metrics document={document} onChange={onChange} factors={factors} errors={errors} />
      </section>
      <ExcludeRules document={document} onChange={onChange} factors={factors} errors={errors} />
    </form>
  );
}

/** The metrics that the chosen tools yield; one that was chosen and is unknown stays, to be taken off. */
function Metrics({ document, onChange, factors, errors }: Omit<Props, "host">) {
  const chosen = document.metrics ?? [];
  const offered = yielded(document, factors);
  const label = (name: string) => factors.metrics.find((metric) => metric.name === name)?.label ?? name;
  const names = [...offered.map((metric) => metric.name), ...chosen.filter((name) => !offered.some((metric) => metric.name === name))];
  return (
    <ChipField
      label="Metrics that get a verdict"
      count={`${chosen.length} of ${offered.length}`}
      errors={errorsAt(errors, "/metrics")}
      hint={chosen[0] === undefined ? "Choose at least one." : `The headline speaks of the first: ${label(chosen[0])}.`}
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
