import { useId } from "react";
import { Link } from "react-router";
import { hostHref, pathOn } from "@/api/capabilities";
import type { Host, Level, PathChoice } from "@/api/types";
import { formatLevel } from "@/components/format";
import { levelsOf, toggled } from "./document";
import type { FactorProps } from "./FactorField";
import { errorsAt } from "@/components/fieldErrors";
import styles from "./PathChoices.module.css";
import { pathKinds } from "./pathKinds";

/** Every path by kind, in columns; those that the host cannot carry stand with their reason. */
export function PathChoices({ document, vocabulary, factor, errors, host, onLevels }: FactorProps) {
  const id = useId();
  const levels = levelsOf(document, factor);
  const found = errorsAt(errors, `/factors/${factor.name}`);
  const known = [...factor.choices, ...levels.filter((level) => !factor.choices.includes(level))];
  const services = vocabulary.factors.filter((each) => each.name === "service").flatMap((each) => levelsOf(document, each));
  const about = (level: Level) => vocabulary.paths.find((path) => path.name === level);
  const toggle = (level: Level) => onLevels(factor, toggled(factor, levels, level));
  return (
    <div className={styles.paths} data-wide role="group" aria-labelledby={id} data-invalid={found.length > 0 || undefined}>
      <p className={styles.label}>
        <span id={id}>{factor.label}</span>
        <span className={styles.count}>
          {levels.length} of {factor.choices.length}
        </span>
        {host && <Link to={hostHref(host.name)}>what {host.name} can run</Link>}
      </p>
      {found.map((error) => (
        <p key={`${error.pointer} ${error.detail}`} className={styles.error}>
          ✕ {error.detail}
        </p>
      ))}
      <div className={styles.kinds}>
        {pathKinds(known).map(({ kind, paths }) => (
          <fieldset key={kind}>
            <legend>{kind}</legend>
            {paths.map((level) => (
              <Choice key={String(level)} level={level} on={levels.includes(level)} {...toldOf(level, about(level), host, services)} onToggle={() => toggle(level)} />
            ))}
          </fieldset>
        ))}
      </div>
    </div>
  );
}

/** What a path is, whether it can be measured here with these services, and what keeps or limits it. */
function toldOf(level: Level, path: PathChoice | undefined, host: Host | undefined, services: readonly Level[]) {
  const here = pathOn(host, String(level));
  const carried = !path || path.services.length === 0 || services.some((service) => path.services.includes(String(service)));
  const remarks = [...(here?.reasons ?? []), ...(carried ? [] : [`carries ${path.services.join(" or ")} only`])];
  return { summary: path ? `${path.title}. ${path.summary}` : "", able: carried && here?.able !== false, remarks };
}

interface ChoiceProps extends ReturnType<typeof toldOf> {
  level: Level;
  on: boolean;
  onToggle: () => void;
}

function Choice({ level, on, summary, able, remarks, onToggle }: ChoiceProps) {
  return (
    <label className={styles.choice} data-off={!able || undefined} title={summary}>
      <input type="checkbox" checked={on} onChange={onToggle} />
      <span>
        {formatLevel(level)}
        {remarks.length > 0 && (
          <small>
            {able ? "◐ " : "⊘ "}
            {remarks.join("; ")}
          </small>
        )}
      </span>
    </label>
  );
}
