import { parseWarning } from "./warnings";
import styles from "./WarningList.module.css";

/** Warnings, each with its figure and advice. */
export function WarningList({ warnings, label }: { warnings: readonly string[]; label: string }) {
  if (warnings.length === 0) return null;
  return (
    <ul className={styles.warnings} aria-label={label}>
      {warnings.map((text) => {
        const { title, figure, advice, trials } = parseWarning(text);
        return (
          <li key={text}>
            <span className={styles.glyph} aria-hidden="true">⚠</span>
            <div>
              <p>
                <b>{title}</b>
                {figure && <span>: {figure}</span>}
                {trials && <span className={styles.quiet}> in {trials.count} of {trials.of} trials</span>}
              </p>
              {advice && <p className={styles.quiet}>{advice}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
