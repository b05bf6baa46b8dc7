import { useId } from "react";
import type { ShareStart } from "@/api/generated";
import type en from "@/messages/en/runs";
import type { MessageKey } from "@/messages/translation";
import { messages } from "@/messages";
import styles from "./ShareDialog.module.css";

const t = messages("runs");

export const DAYS = [7, 30, 90, 365];
export type Choices = Required<Pick<ShareStart, "kind" | "mode" | "expires_in_days">> & { title: string };

const KINDS = [
  ["private", "kindPrivate", "kindPrivateNote"],
  ["unfurl", "kindPost", "kindPostNote"],
] as const;
const MODES = [
  ["snapshot", "modeSnapshot", "modeSnapshotNote"],
  ["live", "modeLive", "modeLiveNote"],
] as const;

/** The choices for a new link; a run in progress can be shared live only. */
export function ShareChoices({ choices, ended, onChange }: { choices: Choices; ended: boolean; onChange: (choices: Choices) => void }) {
  return (
    <>
      <Radios legend={t("shareFor")} options={KINDS} value={choices.kind} onChange={(kind) => onChange({ ...choices, kind })} />
      <Radios legend={t("shareShows")} options={ended ? MODES : MODES.slice(1)} value={choices.mode} onChange={(mode) => onChange({ ...choices, mode })} />
      <div className={styles.fields}>
        <label>
          {t("shareOwnTitle")}
          <input value={choices.title} maxLength={200} onChange={(event) => onChange({ ...choices, title: event.target.value })} />
        </label>
        <label>
          {t("shareWorksFor")}
          <select value={choices.expires_in_days} onChange={(event) => onChange({ ...choices, expires_in_days: Number(event.target.value) })}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {t("days", { count: each })}
              </option>
            ))}
          </select>
        </label>
      </div>
    </>
  );
}

interface RadiosProps<T extends string> {
  legend: string;
  options: readonly (readonly [value: T, label: MessageKey<typeof en>, note: MessageKey<typeof en>])[];
  value: T;
  onChange: (value: T) => void;
}

function Radios<T extends string>({ legend, options, value, onChange }: RadiosProps<T>) {
  const id = useId();
  return (
    <fieldset className={styles.radios}>
      <legend>{legend}</legend>
      {options.map(([each, label, note]) => (
        <div key={each}>
          <input id={`${id}-${each}`} type="radio" name={id} value={each} checked={each === value} aria-describedby={`${id}-${each}-note`} onChange={() => onChange(each)} />
          <label htmlFor={`${id}-${each}`}>{t(label)}</label>
          <small id={`${id}-${each}-note`}>{t(note)}</small>
        </div>
      ))}
    </fieldset>
  );
}
