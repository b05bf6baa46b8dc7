import { useId } from "react";
import { Link } from "react-router";
import { hostHref, pathCapability } from "@/api/capabilities";
import type { Level } from "@/api/draft";
import type { Host, PathChoice } from "@/api/generated";
import { formatLevel } from "@/components/format";
import { PathName } from "@/components/PathName";
import { levelsOf, toggled } from "./document";
import type { FactorProps } from "./factorProps";
import { errorsAt } from "@/api/errors";
import { FieldErrors } from "@/components/FieldErrors";
import styles from "./PathChoices.module.css";
import { pathKinds } from "./pathKinds";

/** All paths by kind; those that the host does not support have a reason. */
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
        {host && <Link to={hostHref(host.name)}>capabilities of {host.name}</Link>}
      </p>
      <FieldErrors errors={found} />
      <div className={styles.kinds}>
        {pathKinds(known).map(({ kind, paths }) => (
          <fieldset key={kind}>
            <legend>{kind}</legend>
            {paths.map((level) => (
              <Choice key={String(level)} level={level} on={levels.includes(level)} {...availability(level, about(level), host, services)} onToggle={() => toggle(level)} />
            ))}
          </fieldset>
        ))}
      </div>
    </div>
  );
}

/** Returns a path's title and summary, whether the host supports it with these services, and the reasons. */
function availability(level: Level, path: PathChoice | undefined, host: Host | undefined, services: readonly Level[]) {
  const here = pathCapability(host, String(level));
  const fitting = !path || path.services.length === 0 || services.some((service) => path.services.includes(String(service)));
  const remarks = [...(here?.reasons ?? []), ...(fitting ? [] : [`supports ${path.services.join(" or ")} only`])];
  return { title: path?.title, summary: path?.summary ?? "", supported: fitting && here?.supported !== false, remarks };
}

interface ChoiceProps extends ReturnType<typeof availability> {
  level: Level;
  on: boolean;
  onToggle: () => void;
}

function Choice({ level, on, title, summary, supported, remarks, onToggle }: ChoiceProps) {
  return (
    <label className={styles.choice} data-off={!supported || undefined} title={summary}>
      <input type="checkbox" checked={on} onChange={onToggle} />
      <span>
        <PathName name={formatLevel(level)} title={title} />
        {remarks.length > 0 && (
          <small>
            {supported ? "◐ " : "⊘ "}
            {remarks.join("; ")}
          </small>
        )}
      </span>
    </label>
  );
}
