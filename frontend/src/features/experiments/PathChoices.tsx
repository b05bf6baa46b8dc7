import { useId } from "react";
import { Link } from "react-router";
import { hostHref, pathCapability } from "@/api/capabilities";
import type { Level } from "@/api/draft";
import type { Host, PathChoice } from "@/api/generated";
import { formatLevel, formatNumber } from "@/components/format";
import { PathName } from "@/components/PathName";
import { messages } from "@/messages";
import { levelsOf, toggled } from "./document";
import type { FactorProps } from "./factorProps";
import { errorsAt } from "@/api/errors";
import { FieldErrors } from "@/components/FieldErrors";
import styles from "./PathChoices.module.css";
import { PathHops } from "./PathHops";
import { pathKinds } from "./pathKinds";

const t = messages("experiments");

/** All paths by kind; those that the host does not support have a reason. */
export function PathChoices({ document, vocabulary, factor, errors, host, onLevels }: FactorProps) {
  const id = useId();
  const levels = levelsOf(document, factor);
  const found = errorsAt(errors, `/factors/${factor.name}`);
  const known = [...factor.choices, ...levels.filter((level) => !factor.choices.includes(level))];
  const services = vocabulary.factors.filter((each) => each.name === "service").flatMap((each) => levelsOf(document, each));
  const proxy = vocabulary.factors.filter((each) => each.name === "userland_proxy").flatMap((each) => levelsOf(document, each).filter((level) => typeof level === "boolean"));
  const about = (level: Level) => vocabulary.paths.find((path) => path.name === level);
  const toggle = (level: Level) => onLevels(factor, toggled(factor, levels, level));
  return (
    <div className={styles.paths} data-wide role="group" aria-labelledby={id} data-invalid={found.length > 0 || undefined}>
      <p className={styles.label}>
        <span id={id}>{factor.label}</span>
        <span className={styles.count}>
          {t("chosenOf", { count: levels.length, of: formatNumber(factor.choices.length) })}
        </span>
        {host && <Link to={hostHref(host.name)}>{t("capabilitiesOf", { host: host.name })}</Link>}
      </p>
      <FieldErrors errors={found} />
      <div className={styles.kinds}>
        {pathKinds(known).map(({ kind, paths }) => (
          <fieldset key={kind}>
            <legend>{t(kind)}</legend>
            {paths.map((level) => (
              <Choice key={String(level)} level={level} on={levels.includes(level)} path={about(level)} proxy={proxy} {...availability(level, about(level), host, services)} onToggle={() => toggle(level)} />
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
  const remarks = [...(here?.reasons ?? []), ...(fitting ? [] : [t("supportsOnly", { services: path.services.join(t("ruleOr")) })])];
  return { title: path?.title, summary: path?.summary ?? "", supported: fitting && here?.supported !== false, remarks };
}

interface ChoiceProps extends ReturnType<typeof availability> {
  level: Level;
  path: PathChoice | undefined;
  /** The chosen settings of userland-proxy. */
  proxy: readonly boolean[];
  on: boolean;
  onToggle: () => void;
}

function Choice({ level, path, proxy, on, title, summary, supported, remarks, onToggle }: ChoiceProps) {
  return (
    <div className={styles.path} data-off={!supported || undefined}>
      <label className={styles.choice} title={summary}>
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
      {path && <PathHops path={path} settings={proxy} />}
    </div>
  );
}
