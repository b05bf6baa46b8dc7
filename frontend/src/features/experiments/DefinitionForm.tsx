import { errorsAt, type FieldError } from "@/api/errors";
import type { Level, Sweep } from "@/api/draft";
import type { Host } from "@/api/generated";
import type { Factor, Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatNumber, formatPercent } from "@/components/format";
import { Note } from "@/components/Status";
import type { Definition } from "@/components/useDefinition";
import type { YamlProblem } from "@/components/yaml";
import { messages } from "@/messages";
import { ClientHostChoice } from "./ClientHostChoice";
import { Compare } from "./Compare";
import styles from "./DefinitionForm.module.css";
import { withField, withTitle } from "./document";
import { Fold } from "./Fold";
import { Limits } from "./Limits";
import { Load } from "./Load";
import { Metrics } from "./Metrics";
import { withChosenLevels, withService } from "./nesting";
import { NoiseLimits } from "./NoiseLimits";
import { Paths } from "./Paths";
import { Profile } from "./Profile";
import { keepingQuestion } from "./question";
import { RoundsFields } from "./RoundsFields";
import { Rules } from "./Rules";
import { Settings } from "./Settings";
import { Text } from "./TextFields";
import type { ChosenHosts } from "./useChosenHosts";
import { useShownFactors } from "./useShownFactors";
import { Vary } from "./Vary";

const t = messages("experiments");

interface Props {
  definition: Definition;
  /** Why the text cannot be parsed. */
  problem: YamlProblem | null;
  factors: Factors;
  errors: readonly FieldError[];
  host: Host | undefined;
  chosen: ChosenHosts;
}

/**
 * The definition as three questions, and what is seldom changed below; errors are the server's.
 * While its text cannot be parsed, the form shows the last version that could be, unchangeable.
 */
export function DefinitionForm({ definition, problem, factors, errors, host, chosen }: Props) {
  const { document: written, onDocument: onChange, discard } = definition;
  const document = withService(written, factors);
  const shown = useShownFactors(document, factors);
  const onLevels = (factor: Factor, levels: readonly Level[] | Sweep) =>
    onChange(
      keepingQuestion(document, factors, (kept) => withChosenLevels(kept, factors, factor, levels)),
    );
  const onTyped = (factor: Factor, levels: readonly Level[] | Sweep) =>
    onChange(withField(document, factor, levels));
  const props = { document, vocabulary: factors, errors, host, onLevels, onTyped };
  const path = factors.factors.find(({ name }) => name === "path");
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {problem !== null && (
        <Note tone="warn">
          {t("correctFirst", { line: problem.line })}{" "}
          <Button onClick={discard}>{t("discardText")}</Button>
        </Note>
      )}
      <fieldset className={styles.form} disabled={problem !== null}>
        <Text
          label={t("title")}
          value={document.title}
          errors={errorsAt(errors, "/title")}
          onChange={(title) => onChange(withTitle(document, title))}
        />
        <Card title={t("questionPaths")}>
          {path && <Paths {...props} factor={path} />}
          <ClientHostChoice chosen={chosen} />
        </Card>
        <Card title={t("questionVary")}>
          <Vary {...props} shown={shown} />
          <Compare {...{ document, onChange, vocabulary: factors, errors, chosen }} />
        </Card>
        <Card title={t("questionLoad")}>
          <Load {...props} onChange={onChange} varied={shown.varied} />
        </Card>
        <div className={styles.folds}>
          <Settings {...props} shown={shown} />
          <RoundsFold {...{ document, onChange, errors }} />
          <Metrics {...{ document, onChange, factors, errors }} />
          <Limits {...{ document, onChange, errors }} />
          <NoiseLimits {...{ document, onChange, errors }} />
          <NameFold {...{ document, onChange, errors }} />
          <Rules kind="exclude" {...{ document, onChange, factors, errors }} />
          <Rules kind="include" {...{ document, onChange, factors, errors }} />
        </div>
      </fieldset>
    </form>
  );
}

type FoldProps = Parameters<typeof RoundsFields>[0];

const OF_ROUNDS = ["/rounds", "/stopping", "/seed", "/margin"];

/** The rounds: how many, and when they end. */
function RoundsFold({ document, onChange, errors }: FoldProps) {
  const { rounds, stopping, margin = 0.05 } = document;
  const range = { low: formatNumber(rounds), high: formatNumber(stopping?.at_most ?? rounds) };
  const most = stopping ? t("roundsNoteAdaptive", range) : t("roundCount", { count: rounds });
  return (
    <Fold
      title={t("rounds")}
      note={t("roundsNote", { rounds: most, margin: formatPercent(margin) })}
      isRefused={OF_ROUNDS.some((pointer) => errorsAt(errors, pointer).length > 0)}
    >
      <RoundsFields {...{ document, onChange, errors }} />
    </Fold>
  );
}

/** The name of the experiment for scripts, and whether CPU profiles are taken. */
function NameFold({ document, onChange, errors }: FoldProps) {
  const found = errorsAt(errors, "/name");
  return (
    <Fold
      title={t("nameAndProfile")}
      note={document.name}
      isRefused={found.length > 0 || errorsAt(errors, "/profile").length > 0}
    >
      <Text
        label={t("name")}
        hint={t("nameHint")}
        value={document.name}
        errors={found}
        onChange={(name) => onChange({ ...document, name })}
      />
      <Profile {...{ document, onChange, errors }} />
    </Fold>
  );
}
