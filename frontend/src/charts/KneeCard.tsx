import { useState } from "react";
import type { ChartModel, Knee } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { factName } from "@/components/factName";
import { formatInterval, formatNumber } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import type { ChartMark } from "./frame/ChartMarks";
import { KneeChart } from "./KneeChart";
import styles from "./KneeCard.module.css";
import { formatKneeInterval, kneeLayout, kneeSentence, formatKnee } from "./kneeLayout";
import { Legend } from "./Legend";
import { ShowMore } from "@/components/ShowMore";
import { serverText } from "@/components/serverText";

const t = messages("charts");

const NARROWEST = 340;
const GAP = 18;
/** More sweeps than this at once are slow to draw. */
const STEP = 12;

/** The knee of each sweep: the highest load under the latency limit, or the load after which throughput falls. */
export function KneeCard({ model, image }: { model: ChartModel; image?: ImageHref | undefined }) {
  const [most, setMost] = useState(STEP);
  const all = model.knees.length;
  if (all === 0) return null;
  const knees = model.knees.slice(0, most);
  const layouts = knees.map((knee) => kneeLayout(model, knee));
  const log = layouts.some((layout) => layout.log);
  return (
    <ChartFrame
      title={t("kneeTitle", { count: all })}
      note={t("kneeNote")}
      sentence={kneeSentence(model, knees)}
      legend={<KneeLegend limit={knees.some(({ limit_ms }) => limit_ms !== null)} />}
      caption={[t("kneeCaption"), log && t("logAxis")].filter(Boolean).join(" ")}
      marks={kneeMarks(model, knees)}
      reading={{ text: t("kneeReading"), anchor: "parts" }}
      chart={(width) => {
        const columns = Math.max(1, Math.min(knees.length, Math.floor((width + GAP) / (NARROWEST + GAP))));
        const each = Math.floor((width - GAP * (columns - 1)) / columns);
        return (
          <div className={styles.grid} style={{ gridTemplateColumns: `repeat(${columns}, ${each}px)` }}>
            {knees.map((knee, index) => {
              const layout = layouts[index];
              return (
                <div key={`${knee.title} ${knee.kind}`}>
                  <h3 className={styles.title}>{knee.title}</h3>
                  {layout && <KneeChart layout={layout} factor={knee.factor} width={each} />}
                </div>
              );
            })}
          </div>
        );
      }}
      table={<Figures model={model} knees={knees} />}
      image={image}
      below={
        <>
          <ul className={styles.sentences}>
            {knees.map((knee) => (
              <li key={`${knee.title} ${knee.kind}`}>
                <b>{knee.title}:</b> {serverText(knee.sentence, knee.message)}
              </li>
            ))}
          </ul>
          <ShowMore shown={knees.length} all={all} step={STEP} item="sweep" onMore={() => setMost(most + STEP)} />
        </>
      }
    />
  );
}

function kneeMarks(model: ChartModel, knees: readonly Knee[]): ChartMark[] {
  return knees.flatMap((knee) => {
    const { points, axis } = kneeLayout(model, knee);
    return points.map((point) => ({
      key: `${knee.title} ${point.cellId}`,
      group: knee.title,
      text: t("markSweep", { series: knee.title, factor: factName(knee.factor), level: formatNumber(point.level), value: formatNumber(point.median, axis.decimals), unit: axis.unit, interval: formatInterval(point.interval, axis.decimals), n: formatNumber(point.n) }),
    }));
  });
}

function KneeLegend({ limit }: { limit: boolean }) {
  const items = [
    { key: "median", label: t("legendMedian"), sample: <path d="M11 1V13M7 1H15M7 13H15M9 7H13" stroke="var(--ink)" strokeWidth={1.75} /> },
    { key: "knee", label: t("legendKnee"), sample: <><rect x={3} y={0} width={16} height={14} fill="var(--accent)" opacity={0.16} /><path d="M11 0V14" stroke="var(--accent)" strokeWidth={2} /></> },
  ];
  const rule = { key: "limit", label: t("legendLimit"), sample: <path d="M0 7H22" stroke="var(--bad)" strokeWidth={1.5} strokeDasharray="5 4" /> };
  return <Legend items={limit ? [...items, rule] : items} />;
}

function Figures({ model, knees }: { model: ChartModel; knees: readonly Knee[] }) {
  return (
    <>
      <table className={`${table.table} ${table.fold}`}>
        <caption className="visually-hidden">{t("kneeTitle", { count: 2 })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("sweep")}</th>
            <th scope="col">{t("kind")}</th>
            <th scope="col" className={table.num}>{t("knee")}</th>
            <th scope="col" className={table.num}>{t("interval95")}</th>
            <th scope="col" className={table.num}>{t("n")}</th>
          </tr>
        </thead>
        <tbody>
          {knees.map((knee) => (
            <tr key={`${knee.title} ${knee.kind}`}>
              <th scope="row">{knee.title}</th>
              <td data-label={t("kind")}>{knee.kind === "limit" ? t("kneeLimit", { factor: factName(knee.factor), limit: formatNumber(knee.limit_ms, 1) }) : t("kneeFall", { factor: factName(knee.factor) })}</td>
              <td data-label={t("knee")} className={table.num}>{formatKnee(knee, kneeLayout(model, knee))}</td>
              <td data-label={t("interval95")} className={table.num}>{formatKneeInterval(knee, kneeLayout(model, knee))}</td>
              <td data-label={t("n")} className={table.num}>{knee.n}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {knees.map((knee) => (
        <Sweep key={`${knee.title} ${knee.kind}`} model={model} knee={knee} />
      ))}
    </>
  );
}

function Sweep({ model, knee }: { model: ChartModel; knee: Knee }) {
  const { points, axis } = kneeLayout(model, knee);
  return (
    <table className={table.table}>
      <caption className={styles.caption}>{knee.title}</caption>
      <thead>
        <tr>
          <th scope="col" className={table.num}>{factName(knee.factor)}</th>
          <th scope="col" className={table.num}>{axis.label}{axis.unit && ` (${axis.unit})`}</th>
          <th scope="col" className={table.num}>{t("interval95")}</th>
          <th scope="col" className={table.num}>{t("n")}</th>
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.cellId}>
            <th scope="row" className={table.num}>{formatNumber(point.level)}</th>
            <td className={table.num}>{formatNumber(point.median, axis.decimals)}</td>
            <td className={table.num}>{formatInterval(point.interval, axis.decimals)}</td>
            <td className={table.num}>{point.n}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
