import type { FieldError } from "@/api/client";
import type { ExcludeRule, ExperimentDocument, Factors } from "@/api/types";
import { Button } from "@/components/Button";
import { formatLevel } from "@/components/format";
import styles from "./DefinitionForm.module.css";
import { errorsAt } from "./fieldErrors";

interface Props {
  document: ExperimentDocument;
  onChange: (document: ExperimentDocument) => void;
  factors: Factors;
  errors: readonly FieldError[];
}

/** The combinations that are left out, in words; they are written in the YAML view. */
export function ExcludeRules({ document, onChange, factors, errors }: Props) {
  const rules = Array.isArray(document.exclude) ? document.exclude : [];
  const found = errorsAt(errors, "/exclude");
  if (rules.length === 0 && found.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby="exclude-heading">
      <h3 id="exclude-heading">Left out</h3>
      <p className={styles.about}>Cells that fit one of these rules are not planned. Rules are written in the YAML view, under “exclude”.</p>
      <ul className={styles.rules}>
        {rules.map((rule, index) => (
          <li key={index}>
            <span>
              {told(rule, factors)}
              {errorsAt(found, `/exclude/${index}`).map((error) => (
                <span key={error.detail} className={styles.error}>
                  ✕ {error.detail}
                </span>
              ))}
            </span>
            <Button kind="ghost" aria-label={`Remove the rule: ${told(rule, factors)}`} onClick={() => onChange({ ...document, exclude: rules.filter((_, other) => other !== index) })}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {found
        .filter((error) => !/^\/exclude\/\d/.test(error.pointer))
        .map((error) => (
          <p key={error.detail} className={styles.error}>
            ✕ {error.detail}
          </p>
        ))}
    </section>
  );
}

/** "tool ab, with clients 1 or 2". */
function told(rule: ExcludeRule, { factors }: Factors): string {
  return Object.entries(rule ?? {})
    .map(([name, value]) => {
      const label = factors.find((factor) => factor.name === name)?.label ?? name;
      return `${label} ${(Array.isArray(value) ? value : [value]).map(formatLevel).join(" or ")}`;
    })
    .join(", with ");
}
