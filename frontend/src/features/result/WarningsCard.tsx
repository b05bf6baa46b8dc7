import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber, plural } from "@/components/format";
import { groupNotices, type NoticeKind } from "@/components/notices";
import styles from "./Checks.module.css";

interface WarningsProps {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** The warnings by kind, with affected cells, figures and advice. */
export function WarningsCard({ model, cellHref }: WarningsProps) {
  const kinds = groupNotices(
    // Host noise is reported with the headline.
    (model.notices ?? []).filter(({ sentence }) => sentence !== model.quality?.sentence),
    model.cells.map(({ id, label, notices = [] }) => ({ id, label, notices, href: cellHref?.(id) ?? null })),
  );
  if (kinds.length === 0) return null;
  return (
    <Card title={plural(kinds.length, "kind of warning", "kinds of warnings")} note="Found while the run was measured. Interpret figures with a warning with care">
      <ul className={styles.warnings}>
        {kinds.map((kind) => (
          <Kind key={kind.title} kind={kind} all={model.cells.length} />
        ))}
      </ul>
    </Card>
  );
}

function Kind({ kind: { title, advice, cells }, all }: { kind: NoticeKind; all: number }) {
  return (
    <li>
      <span className={styles.glyph} aria-hidden="true">⚠</span>
      <div>
        <p className={cells.length > 0 ? styles.kind : undefined}>{title}</p>
        {advice && <p className={styles.quiet}>{advice}</p>}
        {cells.length > 0 && (
          <details>
            <summary>
              in {formatNumber(cells.length)} of {plural(all, "cell")}
            </summary>
            <ul className={styles.places}>
              {cells.map(({ label, href, figures, trials }) => (
                <li key={label}>
                  {href ? <Link to={href}>{label}</Link> : label}
                  {figures && `: ${figures}`} <span className={styles.quiet}>{trials}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
