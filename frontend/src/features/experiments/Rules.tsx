import { errorsAt, errorsOutside, type FieldError } from "@/api/errors";
import type { ExperimentDraft, Rule } from "@/api/draft";
import type { Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { FieldErrors } from "@/components/FieldErrors";
import { formatLevel } from "@/components/format";
import { formatSweep, isSweep } from "@/components/sweep";
import styles from "./DefinitionForm.module.css";

type Kind = "exclude" | "include";

interface Props {
  kind: Kind;
  document: ExperimentDraft;
  onChange: (document: ExperimentDraft) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

const TEXTS: Record<Kind, { title: string; about: string }> = {
  exclude: { title: "Excluded cells", about: "Cells that match one of these rules are not planned. Edit the rules in the YAML view, under “exclude”." },
  include: { title: "Added cells", about: "Cells that are planned in addition to all combinations; factors that a rule does not name are as in the definition. Edit the rules in the YAML view, under “include”." },
};

/** The rules that exclude or add cells, as text; they are edited in the YAML view. */
export function Rules({ kind, document, onChange, factors, errors }: Props) {
  const written = document[kind];
  const rules = Array.isArray(written) ? written : [];
  const found = errorsAt(errors, `/${kind}`);
  if (rules.length === 0 && found.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby={`${kind}-heading`}>
      <h3 id={`${kind}-heading`}>{TEXTS[kind].title}</h3>
      <p className={styles.about}>{TEXTS[kind].about}</p>
      <ul className={styles.rules}>
        {rules.map((rule, index) => (
          <li key={index}>
            <span>
              {describe(rule, factors)}
              <FieldErrors errors={errorsAt(found, `/${kind}/${index}`)} />
            </span>
            <Button kind="ghost" aria-label={`Remove the rule: ${describe(rule, factors)}`} onClick={() => onChange({ ...document, [kind]: rules.filter((_, other) => other !== index) })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <FieldErrors errors={errorsOutside(found, rules.map((_, index) => `/${kind}/${index}`))} />
    </section>
  );
}

/** "tool ab, with clients 1 or 2". */
function describe(rule: Rule, { factors }: Factors): string {
  return Object.entries(rule ?? {})
    .map(([name, value]) => {
      const label = factors.find((factor) => factor.name === name)?.label ?? name;
      return `${label} ${isSweep(value) ? formatSweep(value) : (Array.isArray(value) ? value : [value]).map(formatLevel).join(" or ")}`;
    })
    .join(", with ");
}
