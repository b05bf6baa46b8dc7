import { useState } from "react";
import type { ChartModel, Knee } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatInterval, formatNumber, humanize } from "@/components/format";
import table from "@/components/table.module.css";
import { ChartFrame } from "./ChartFrame";
import { KneeChart } from "./KneeChart";
import styles from "./KneeCard.module.css";
import { formatKneeInterval, kneeLayout, kneeSentence, formatKnee } from "./kneeLayout";
import { Legend } from "./Legend";
import { ShowMore } from "@/components/ShowMore";
import { serverText } from "@/components/serverText";

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
      title={all === 1 ? "Knee" : "Knees"}
      note="Found in each round separately; shown is the median over the rounds with its interval"
      sentence={kneeSentence(model, knees)}
      legend={<KneeLegend limit={knees.some(({ limit_ms }) => limit_ms !== null)} />}
      caption={`Loads are drawn at equal distances.${log ? " The vertical axis is logarithmic." : ""}`}
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

function KneeLegend({ limit }: { limit: boolean }) {
  const items = [
    { key: "median", label: "median and its 95 % interval", sample: <path d="M11 1V13M7 1H15M7 13H15M9 7H13" stroke="var(--ink)" strokeWidth={1.75} /> },
    { key: "knee", label: "knee and its 95 % interval", sample: <><rect x={3} y={0} width={16} height={14} fill="var(--accent)" opacity={0.16} /><path d="M11 0V14" stroke="var(--accent)" strokeWidth={2} /></> },
  ];
  const rule = { key: "limit", label: "latency limit", sample: <path d="M0 7H22" stroke="var(--bad)" strokeWidth={1.5} strokeDasharray="5 4" /> };
  return <Legend items={limit ? [...items, rule] : items} />;
}

function Figures({ model, knees }: { model: ChartModel; knees: readonly Knee[] }) {
  return (
    <>
      <table className={`${table.table} ${table.fold}`}>
        <caption className="visually-hidden">Knees</caption>
        <thead>
          <tr>
            <th scope="col">Sweep</th>
            <th scope="col">Kind</th>
            <th scope="col" className={table.num}>Knee</th>
            <th scope="col" className={table.num}>95 % interval</th>
            <th scope="col" className={table.num}>n</th>
          </tr>
        </thead>
        <tbody>
          {knees.map((knee) => (
            <tr key={`${knee.title} ${knee.kind}`}>
              <th scope="row">{knee.title}</th>
              <td data-label="kind">{knee.kind === "limit" ? `highest ${humanize(knee.factor)} under ${formatNumber(knee.limit_ms, 1)} ms` : `${humanize(knee.factor)} after which throughput falls`}</td>
              <td data-label="knee" className={table.num}>{formatKnee(knee, kneeLayout(model, knee))}</td>
              <td data-label="95 % interval" className={table.num}>{formatKneeInterval(knee, kneeLayout(model, knee))}</td>
              <td data-label="n" className={table.num}>{knee.n}</td>
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
          <th scope="col" className={table.num}>{humanize(knee.factor)}</th>
          <th scope="col" className={table.num}>{axis.label}{axis.unit && ` (${axis.unit})`}</th>
          <th scope="col" className={table.num}>95 % interval</th>
          <th scope="col" className={table.num}>n</th>
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
