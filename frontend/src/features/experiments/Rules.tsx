import { errorsAt, errorsOutside, type FieldError } from "@/api/errors";
import type { ExperimentDraft, Rule } from "@/api/draft";
import type { Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { FieldErrors } from "@/components/FieldErrors";
import { formatLevel } from "@/components/format";
import { formatSweep, isSweep } from "@/components/sweep";
import { messages } from "@/messages";
import styles from "./DefinitionForm.module.css";
import { Fold } from "./Fold";

const t = messages("experiments");

type Kind = "exclude" | "include";

interface Props {
  kind: Kind;
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

const TEXTS = {
  exclude: { title: "excludedCells", about: "excludedCellsAbout" },
  include: { title: "addedCells", about: "addedCellsAbout" },
} as const;

/** The rules that exclude or add cells, as text; they are edited in the YAML view. */
export function Rules({ kind, document, onChange, factors, errors }: Props) {
  const written = document[kind];
  const rules = Array.isArray(written) ? written : [];
  const found = errorsAt(errors, `/${kind}`);
  if (rules.length === 0 && found.length === 0) return null;
  return (
    <Fold
      title={t(TEXTS[kind].title)}
      note={t("ruleCount", { count: rules.length })}
      isRefused={found.length > 0}
    >
      <p className={styles.about}>{t(TEXTS[kind].about)}</p>
      <ul className={styles.rules}>
        {rules.map((rule, index) => (
          <li key={index}>
            <span>
              {describe(rule, factors)}
              <FieldErrors errors={errorsAt(found, `/${kind}/${index}`)} />
            </span>
            <Button
              kind="ghost"
              aria-label={t("removeRuleOf", { rule: describe(rule, factors) })}
              onClick={() =>
                onChange({ ...document, [kind]: rules.filter((_, other) => other !== index) })
              }
            >
              {t("removeRule")}
            </Button>
          </li>
        ))}
      </ul>
      <FieldErrors
        errors={errorsOutside(
          found,
          rules.map((_, index) => `/${kind}/${index}`),
        )}
      />
    </Fold>
  );
}

/** "tool ab, with clients 1 or 2". */
function describe(rule: Rule, { factors }: Factors): string {
  return Object.entries(rule ?? {})
    .map(([name, value]) => {
      const label = factors.find((factor) => factor.name === name)?.label ?? name;
      return `${label} ${isSweep(value) ? formatSweep(value) : (Array.isArray(value) ? value : [value]).map(formatLevel).join(t("ruleOr"))}`;
    })
    .join(t("ruleAnd"));
}
