import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { groupNotices, type NoticeKind } from "@/components/notices";
import { messages } from "@/messages";
import styles from "./Checks.module.css";

const t = messages("result");

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
    <Card title={t("warningKinds", { count: kinds.length, n: formatNumber(kinds.length) })} note={t("warningsNote")}>
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
              {t("inCells", { count: all, n: formatNumber(all), of: formatNumber(cells.length) })}
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
