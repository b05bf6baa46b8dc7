import { useId } from "react";
import type { ShareStart } from "@/api/generated";
import styles from "./ShareDialog.module.css";

export const DAYS = [7, 30, 90, 365];
export type Choices = Required<Pick<ShareStart, "kind" | "mode" | "expires_in_days">> & { title: string };

const KINDS = [
  ["private", "Private", "For people to whom you send it. Its secret part reaches no server and no log, and a chat shows no preview."],
  ["unfurl", "To post", "For a chat, an issue or a README: title, verdict and picture are shown there. Proxies on the way may log the whole link."],
] as const;
const MODES = [
  ["snapshot", "The result as it is now", "Never changes."],
  ["live", "The result when the link is opened", "Follows this run while it is in progress and where trials are excluded later. It never shows another run."],
] as const;

/** The choices for a new link; a run in progress can be shared live only. */
export function ShareChoices({ choices, ended, onChange }: { choices: Choices; ended: boolean; onChange: (choices: Choices) => void }) {
  return (
    <>
      <Radios legend="Who is it for?" options={KINDS} value={choices.kind} onChange={(kind) => onChange({ ...choices, kind })} />
      <Radios legend="What does it show?" options={ended ? MODES : MODES.slice(1)} value={choices.mode} onChange={(mode) => onChange({ ...choices, mode })} />
      <div className={styles.fields}>
        <label>
          Title, if not the experiment’s
          <input value={choices.title} maxLength={200} onChange={(event) => onChange({ ...choices, title: event.target.value })} />
        </label>
        <label>
          The link works for
          <select value={choices.expires_in_days} onChange={(event) => onChange({ ...choices, expires_in_days: Number(event.target.value) })}>
            {DAYS.map((each) => (
              <option key={each} value={each}>
                {each} days
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
  options: readonly (readonly [value: T, label: string, note: string])[];
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
          <label htmlFor={`${id}-${each}`}>{label}</label>
          <small id={`${id}-${each}-note`}>{note}</small>
        </div>
      ))}
    </fieldset>
  );
}
