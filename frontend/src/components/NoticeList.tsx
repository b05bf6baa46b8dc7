import { type AnyNotice, trialsOf } from "./notices";
import { catalogName } from "./serverText";
import styles from "./NoticeList.module.css";

/** A list of notices, each with its figures and advice. */
export function NoticeList({ notices, label }: { notices: readonly AnyNotice[]; label: string }) {
  if (notices.length === 0) return null;
  return (
    <ul className={styles.warnings} aria-label={label}>
      {notices.map((notice) => (
        <li key={notice.kind + notice.figures}>
          <span className={styles.glyph} aria-hidden="true">⚠</span>
          <div>
            <p>
              <b>{catalogName("notice", notice.kind, notice.kind)}</b>
              {notice.figures && <span>: {notice.figures}</span>} <span className={styles.quiet}>{trialsOf(notice)}</span>
            </p>
            {notice.advice && <p className={styles.quiet}>{notice.advice}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
