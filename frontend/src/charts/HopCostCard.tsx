import { useState } from "react";
import { Link } from "react-router";
import type { ChartModel, Ladder, HopCost, LadderStep } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { Card } from "@/components/Card";
import { formatP, formatSigned } from "@/components/format";
import { hopName } from "@/components/hopName";
import { operationOf } from "@/components/rates";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import type { ChartMark } from "./frame/ChartMarks";
import { nameWidth, namesFit } from "./intervalLayout";
import { IntervalRows } from "./IntervalRows";
import styles from "./HopCostCard.module.css";
import { hasCost, intervalOf, labelOf, hopCostLayout, hopCostSentence, formatCostInterval, formatCost, type HopCostLayout } from "./hopCostLayout";
import { ShowMore } from "@/components/ShowMore";
import { serverText } from "@/components/serverText";

const t = messages("charts");

interface Props {
  model: ChartModel;
  /** The image addresses of the path ladder that begins with this cell. */
  image?: ((baseId: string) => ImageHref) | undefined;
  cellHref?: (cellId: string) => string;
}

/** Below this width, CPU and throughput are drawn one above the other. */
const SIDE_BY_SIDE = 760;

/** More charts than this at once are slow to draw. */
const STEP = 6;

/** The cost per hop: one card per group of cells that differ in path and proxy only. */
export function HopCostCard({ model, image, cellHref }: Props) {
  const [most, setMost] = useState(STEP);
  const measured = model.ladders.filter(hasCost);
  return (
    <>
      {measured.slice(0, most).map((ladder) => (
        <LadderCard key={`${ladder.title} ${ladder.base_id}`} model={model} ladder={ladder} image={image} cellHref={cellHref} />
      ))}
      {measured.length > most && (
        <Card title={t("moreHops")} note={t("moreHopsNote")}>
          <ShowMore shown={most} all={measured.length} step={STEP} item="chart" onMore={() => setMost(most + STEP)} />
        </Card>
      )}
    </>
  );
}

function LadderCard({ model, ladder, image, cellHref }: Props & { ladder: Ladder }) {
  const operation = operationOf(model.cells.map((cell) => cell.levels));
  const layout = hopCostLayout(model, ladder, operation);
  return (
    <ChartFrame
      title={ladder.title}
      note={t("hopNote", { base: labelOf(model, ladder.base_id) })}
      sentence={hopCostSentence(model, ladder)}
      chart={(width, active) => <Sides layout={layout} width={width} active={active} />}
      marks={hopMarks(layout)}
      reading={{ text: t("hopReading"), anchor: "parts" }}
      table={<Figures model={model} ladder={ladder} operation={operation} cellHref={cellHref} />}
      image={image?.(ladder.base_id)}
      below={
        <ul className={styles.sentences} aria-label={t("inWords", { title: ladder.title })}>
          {ladder.rungs.map((step) => (
            <li key={step.cell_id}>
              <Chips step={step} />
              <span>{serverText(step.sentence, step.message)}</span>
            </li>
          ))}
        </ul>
      }
    />
  );
}

function hopMarks({ sides }: HopCostLayout): ChartMark[] {
  return sides.flatMap((side) => side.marks.map(({ key, title, lines }) => ({ key: `${side.key} ${key}`, group: side.key, text: [side.title, title, ...lines.map((line) => line.join(" "))].join("; ") })));
}

function Sides({ layout, width, active }: { layout: HopCostLayout; width: number; active: string | null }) {
  const beside = width >= SIDE_BY_SIDE && layout.sides.length > 1;
  const left = nameWidth(layout.rows);
  const fits = namesFit(layout.rows, width);
  const room = beside ? (width - (fits ? left : 0)) / 2 : width;
  return (
    <div className={styles.sides}>
      {layout.sides.map((side, index) => {
        // Side by side, both charts share the names of the first, where these fit.
        const shared = beside && fits;
        const own = shared ? (index === 0 ? left : 0) : undefined;
        return (
          <div key={side.key}>
            <p className={styles.title} style={{ paddingLeft: !fits ? 4 : (own ?? left) || 30 }}>
              {side.title} ({side.unit})
            </p>
            <IntervalRows
              width={Math.floor(room + (shared && index === 0 ? left : 0))}
              height={layout.height}
              rows={layout.rows}
              marks={side.marks}
              active={active?.startsWith(`${side.key} `) ? active.slice(side.key.length + 1) : null}
              domain={side.domain}
              rule={0}
              bars
              {...(own !== undefined && { left: own })}
              format={formatSigned}
            />
          </div>
        );
      })}
    </div>
  );
}

function Chips({ step: { added, removed } }: { step: LadderStep }) {
  return (
    <span className={styles.chips}>
      {added.map((hop) => (
        <span key={`+${hop}`} data-added>
          + {hopName(hop)}
        </span>
      ))}
      {removed.map((hop) => (
        <span key={`-${hop}`} data-removed>
          − {hopName(hop)}
        </span>
      ))}
    </span>
  );
}

function Figures({ model, ladder, operation, cellHref }: Props & { ladder: Ladder; operation: string }) {
  const named = (id: string) => (cellHref ? <Link to={cellHref(id)}>{labelOf(model, id)}</Link> : labelOf(model, id));
  return (
    <table className={`${table.table} ${table.fold}`}>
      <caption className="visually-hidden">{ladder.title}</caption>
      <thead>
        <tr>
          <th scope="col">{t("path")}</th>
          <th scope="col">{t("against")}</th>
          <th scope="col">{t("hops")}</th>
          <th scope="col" className={table.num}>{t("cpuPerOperation", { operation })}</th>
          <th scope="col" className={table.num}>{intervalOf(ladder, "cpu", model)}</th>
          <th scope="col" className={table.num}>{t("adjustedP")}</th>
          <th scope="col" className={table.num}>{t("throughput")}</th>
          <th scope="col" className={table.num}>{intervalOf(ladder, "throughput", model)}</th>
          <th scope="col" className={table.num}>{t("adjustedP")}</th>
        </tr>
      </thead>
      <tbody>
        {ladder.rungs.map((step) => (
          <tr key={step.cell_id}>
            <th scope="row">{named(step.cell_id)}</th>
            <td data-label={t("against")}>{named(step.from_id)}</td>
            <td data-label={t("hops")}>
              <Chips step={step} />
            </td>
            <Cells cost={step.cpu} name={t("cpuPerOperation", { operation })} interval={intervalOf(ladder, "cpu", model)} />
            <Cells cost={step.throughput} name={t("throughput")} interval={intervalOf(ladder, "throughput", model)} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cells({ cost, name, interval }: { cost: HopCost | null; name: string; interval: string }) {
  return (
    <>
      <td data-label={name} className={table.num}>{cost ? formatCost(cost) : "–"}</td>
      <td data-label={interval} className={table.num}>{cost ? formatCostInterval(cost) : "–"}</td>
      <td data-label={t("adjustedP")} className={table.num}>{formatP(cost?.p_adjusted)}</td>
    </>
  );
}
