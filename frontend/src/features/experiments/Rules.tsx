import type { FieldError } from "@/api/client";
import type { ExperimentDocument, Factors, Rule } from "@/api/types";
import { Button } from "@/components/Button";
import { errorsAt } from "@/components/fieldErrors";
import { formatLevel } from "@/components/format";
import { formatSweep, isSweep } from "@/components/sweep";
import styles from "./DefinitionForm.module.css";

type Kind = "exclude" | "include";

interface Props {
  kind: Kind;
  document: ExperimentDocument;
  onChange: (document: ExperimentDocument) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

const TEXTS: Record<Kind, { title: string; about: string }> = {
  exclude: { title: "Left out", about: "Cells that fit one of these rules are not planned. Rules are written in the YAML view, under “exclude”." },
  include: { title: "Added", about: "Cells that are planned besides all combinations; what a rule does not name is as in the definition. Written in the YAML view, under “include”." },
};

/** The combinations that are left out or added, in words; they are written in the YAML view. */
export function Rules({ kind, document, onChange, factors, errors }: Props) {
  const written = document[kind];
  const rules = Array.isArray(written) ? written : [];
  const found = errorsAt(errors, `/${kind}`);
  const ofRule = new RegExp(`^/${kind}/\\d`);
  if (rules.length === 0 && found.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby={`${kind}-heading`}>
      <h3 id={`${kind}-heading`}>{TEXTS[kind].title}</h3>
      <p className={styles.about}>{TEXTS[kind].about}</p>
      <ul className={styles.rules}>
        {rules.map((rule, index) => (
          <li key={index}>
            <span>
              {told(rule, factors)}
              {errorsAt(found, `/${kind}/${index}`).map((error) => (
                <span key={error.detail} className={styles.error}>
                  ✕ {error.detail}
                </span>
              ))}
            </span>
            <Button kind="ghost" aria-label={`Remove the rule: ${told(rule, factors)}`} onClick={() => onChange({ ...document, [kind]: rules.filter((_, other) => other !== index) })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {found
        .filter((error) => !ofRule.test(error.pointer))
        .map((error) => (
          <p key={error.detail} className={styles.error}>
            ✕ {error.detail}
          </p>
        ))}
    </section>
  );
}

/** "tool ab, with clients 1 or 2". */
function told(rule: Rule, { factors }: Factors): string {
  return Object.entries(rule ?? {})
    .map(([name, value]) => {
      const label = factors.find((factor) => factor.name === name)?.label ?? name;
      return `${label} ${isSweep(value) ? formatSweep(value) : (Array.isArray(value) ? value : [value]).map(formatLevel).join(" or ")}`;
    })
    .join(", with ");
}
