import { useEffect, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { hostHref, pathCapability } from "@/api/capabilities";
import type { Level } from "@/api/draft";
import { errorsAt } from "@/api/errors";
import type { Host, PathChoice } from "@/api/generated";
import { Button } from "@/components/Button";
import { AddCombobox } from "@/components/Combobox";
import { FieldErrors } from "@/components/FieldErrors";
import { formatLevel } from "@/components/format";
import { PathName } from "@/components/PathName";
import { messages } from "@/messages";
import { levelsOf, toggled } from "./document";
import type { FactorProps } from "./factorProps";
import { PathHops } from "./PathHops";
import styles from "./Paths.module.css";
import { byKind, foundPaths, pathOptions } from "./pathSearch";

const t = messages("experiments");

/** Of many paths that a definition begins with, so many are shown. */
const FIRST = 12;
const FEW_MORE = 4;

/** The chosen paths as rows, each with its way drawn, and the search that adds others. */
export function Paths({ document, vocabulary, factor, errors, host, onLevels }: FactorProps) {
  const [typed, setTyped] = useState("");
  const [said, setSaid] = useState("");
  const [rows, removed] = useFocusAfterRemoval();
  const levels = levelsOf(document, factor);
  const [isWhole, setWhole] = useState(levels.length <= FIRST + FEW_MORE);
  const of = (name: string) => levelsOfFactor({ document, vocabulary }, name);
  const settings = of("userland_proxy").filter((level) => typeof level === "boolean");
  const services = of("service");
  const others = vocabulary.paths.filter(({ name }) => !levels.includes(name));
  const remark = (path: PathChoice) => remarksOf(path.name, path, host, services).join("; ");
  const found = foundPaths(others, typed);
  const options = pathOptions({ paths: found, isOn: settings[0] ?? true, remarkOf: remark });
  const change = (level: Level) => onLevels(factor, toggled(factor, levels, level));
  const remove = (level: Level, index: number) => {
    removed(index);
    setSaid(t("pathRemoved", { path: titleOf(vocabulary.paths, level) }));
    change(level);
  };
  return (
    <div className={styles.paths} ref={rows}>
      <FieldErrors errors={errorsAt(errors, `/factors/${factor.name}`)} />
      {levels.length === 0 && <p className={styles.none}>{t("pathNone")}</p>}
      <ul className={styles.rows} aria-label={t("pathsChosen")}>
        {(isWhole ? levels : levels.slice(0, FIRST)).map((level, index) => (
          <Row
            key={String(level)}
            level={level}
            path={vocabulary.paths.find(({ name }) => name === level)}
            settings={settings}
            {...{ host, services }}
            onRemove={() => remove(level, index)}
          />
        ))}
      </ul>
      {!isWhole && (
        <p className={styles.whole}>
          <Button kind="ghost" onClick={() => setWhole(true)}>
            {t("pathsShowAll", { count: levels.length })}
          </Button>
        </p>
      )}
      <div className={styles.add}>
        <AddCombobox
          label={t("pathAdd")}
          labelHidden
          placeholder={t("pathAddHint")}
          options={typed === "" ? byKind(options) : options}
          onSearch={setTyped}
          onAdd={({ value, label }) => {
            setTyped("");
            setWhole(true);
            setSaid(t("pathAdded", { path: label }));
            change(value);
          }}
        />
        {host && <Link to={hostHref(host.name)}>{t("capabilitiesOf", { host: host.name })}</Link>}
      </div>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

function titleOf(paths: readonly PathChoice[], level: Level): string {
  return paths.find(({ name }) => name === level)?.title ?? formatLevel(level);
}

type Known = Pick<FactorProps, "document" | "vocabulary">;

function levelsOfFactor({ document, vocabulary }: Known, name: string): Level[] {
  const named = vocabulary.factors.filter((each) => each.name === name);
  return named.flatMap((each) => levelsOf(document, each));
}

/** Returns why a path cannot be used on the host, or not by these services. */
function remarksOf(
  level: Level,
  path: PathChoice | undefined,
  host: Host | undefined,
  services: readonly Level[],
): string[] {
  const here = pathCapability(host, String(level));
  const own = path?.services ?? [];
  const isFitting = own.length === 0 || services.some((service) => own.includes(String(service)));
  const unfit = isFitting ? [] : [t("supportsOnly", { services: own.join(t("ruleOr")) })];
  return [...(here?.reasons ?? []), ...unfit];
}

interface RowProps {
  level: Level;
  path: PathChoice | undefined;
  /** The chosen settings of userland-proxy. */
  settings: readonly boolean[];
  host: Host | undefined;
  services: readonly Level[];
  onRemove: () => void;
}

function Row({ level, path, settings, host, services, onRemove }: RowProps) {
  const id = useId();
  const remarks = remarksOf(level, path, host, services);
  const isSupported = pathCapability(host, String(level))?.supported !== false;
  return (
    <li className={styles.row} data-off={!isSupported || undefined}>
      <span id={id} className={styles.name} title={path?.summary}>
        <PathName name={formatLevel(level)} title={path?.title} />
      </span>
      <div className={styles.way}>
        {path && <PathHops path={path} settings={settings} />}
        {remarks.length > 0 && (
          <p className={styles.remark}>
            {isSupported ? "◐ " : "⊘ "}
            {remarks.join("; ")}
          </p>
        )}
      </div>
      <button
        type="button"
        data-remove
        className={styles.remove}
        aria-label={t("pathRemove", { path: path?.title ?? formatLevel(level) })}
        onClick={onRemove}
      >
        ×
      </button>
    </li>
  );
}

type Rows = React.RefObject<HTMLDivElement | null>;

/** Keeps the focus in the list: after a removal it goes to the next row, or to the search. */
function useFocusAfterRemoval(): [Rows, (index: number) => void] {
  const list = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<{ index: number } | null>(null);
  useEffect(() => {
    if (at === null) return;
    const buttons = list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [];
    const next = buttons[Math.min(at.index, buttons.length - 1)];
    (next ?? list.current?.querySelector<HTMLElement>("input"))?.focus();
  }, [at]);
  return [list, (index) => setAt({ index })];
}
