import { useState } from "react";
import { Link } from "react-router";
import type { ChartModel } from "@/api/generated";
import { Card } from "@/components/Card";
import { formatNumber } from "@/components/format";
import { metricLabel } from "@/components/metricLabels";
import { ShowMore } from "@/components/ShowMore";
import { State } from "@/components/State";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Checks.module.css";
import { gapsOf, type Gap } from "./gaps";

const t = messages("result");
/** More than so many reasons, or cells of one, are shown on request. */
const REASONS = 6;
const CELLS = 40;

interface Props {
  model: ChartModel;
  cellHref?: (cellId: string) => string;
}

/** What the verdict rests on where cells have no or too few values: which ones, and why. */
export function GapsCard({ model, cellHref }: Props) {
  const [most, setMost] = useState(REASONS);
  const found = gapsOf(model);
  const [axis] = model.axes;
  if (!found) return null;
  return (
    <Card title={t("gaps", { count: found.all, n: formatNumber(found.cells), all: formatNumber(found.all) })} note={t("gapsNote")}>
      {axis && found.comparisons > 0 && <p className={styles.kind}>{t("gapsBasis", { count: found.comparisons, n: formatNumber(found.compared), all: formatNumber(found.comparisons), metric: metricLabel(axis) })}</p>}
      {found.baselines.length > 0 && <Note tone="bad">{t("gapsBaseline", { cells: found.baselines.map(({ label }) => label).join("; ") })}</Note>}
      <ul className={styles.gaps}>
        {found.gaps.slice(0, most).map((gap) => (
          <Reason key={gap.key} gap={gap} metric={axis?.metric} cellHref={cellHref} />
        ))}
      </ul>
      <ShowMore shown={Math.min(most, found.gaps.length)} all={found.gaps.length} step={REASONS} item="reason" onMore={() => setMost(most + REASONS)} />
    </Card>
  );
}

function Reason({ gap, metric, cellHref }: { gap: Gap; metric: string | undefined; cellHref: Props["cellHref"] }) {
  const [most, setMost] = useState(CELLS);
  const { state, reason, few, cells } = gap;
  return (
    <li>
      <State label={state} />
      <div>
        {reason || t("gapsNoReason")}
        <details open={cells.length === 1}>
          <summary>{t(few ? "gapsFew" : "gapsNone", { count: cells.length, n: formatNumber(cells.length) })}</summary>
          <ul className={styles.places}>
            {cells.slice(0, most).map((cell) => (
              <li key={cell.id}>
                {cellHref ? <Link to={cellHref(cell.id)}>{cell.label}</Link> : cell.label}{" "}
                <span className={styles.quiet}>
                  {t("gapsTrials", { count: cell.trials_planned, n: formatNumber((metric === undefined ? undefined : cell.summaries[metric]?.n) ?? 0), all: formatNumber(cell.trials_planned) })}
                </span>
              </li>
            ))}
          </ul>
          <ShowMore shown={Math.min(most, cells.length)} all={cells.length} step={CELLS} item="cell" onMore={() => setMost(most + CELLS)} />
        </details>
      </div>
    </li>
  );
}
