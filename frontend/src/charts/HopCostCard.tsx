import { useState } from "react";
import type { ChartModel, Ladder } from "@/api/generated";
import type { ImageHref } from "@/api/exports";
import { formatSigned } from "@/components/format";
import { operationOf } from "@/components/rates";
import { messages } from "@/messages";
import { ChartFrame } from "./ChartFrame";
import type { ChartMark } from "./frame/ChartMarks";
import { nameWidth, namesFit } from "./intervalLayout";
import { IntervalRows } from "./IntervalRows";
import styles from "./HopCostCard.module.css";
import { Chips } from "./HopChips";
import { HopCostTable } from "./HopCostTable";
import { hopPanels } from "./hopPanelLayout";
import { HopPanels } from "./HopPanels";
import {
  hasCost,
  stepsOf,
  labelOf,
  hopCostLayout,
  hopCostSentence,
  type HopCostLayout,
} from "./hopCostLayout";
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

/** The cost per hop: of one group of cells that differ in path and proxy only, or of several in small charts. */
export function HopCostCard(props: Props) {
  const measured = props.model.ladders.filter(hasCost);
  const [only] = measured;
  if (!only) return null;
  return measured.length === 1 ? (
    <LadderCard {...props} ladder={only} />
  ) : (
    <PanelsCard {...props} ladders={measured} />
  );
}

/** A small chart for each path, with a row for each number of clients, tool and so on. */
function PanelsCard({ model, image, cellHref, ladders }: Props & { ladders: readonly Ladder[] }) {
  const [most, setMost] = useState(STEP);
  const operation = operationOf(model.cells.map((cell) => cell.levels));
  const all = hopPanels(model, ladders, operation);
  const panels = all.slice(0, most);
  return (
    <ChartFrame
      title={t("hopsTitle")}
      note={t("hopsNote")}
      sentence={ladders.map((ladder) => hopCostSentence(model, ladder)).join(" ")}
      chart={(width, active) => <HopPanels panels={panels} width={width} active={active} />}
      marks={panels.flatMap(hopMarks)}
      reading={{ text: t("hopReading"), anchor: "parts" }}
      table={ladders.map((ladder) => (
        <HopCostTable
          key={`${ladder.title} ${ladder.base_id}`}
          {...{ model, ladder, operation, cellHref }}
        />
      ))}
      image={image?.("")}
      below={
        <>
          <ShowMore
            shown={panels.length}
            all={all.length}
            step={STEP}
            item="chart"
            onMore={() => setMost(most + STEP)}
          />
          <details className={styles.words}>
            <summary>{t("hopsInWords")}</summary>
            {ladders.map((ladder) => (
              <Words key={`${ladder.title} ${ladder.base_id}`} ladder={ladder} />
            ))}
          </details>
        </>
      }
    />
  );
}

/** The steps of a ladder in sentences. */
function Words({ ladder }: { ladder: Ladder }) {
  return (
    <ul className={styles.sentences} aria-label={t("inWords", { title: ladder.title })}>
      {stepsOf(ladder).map((step) => (
        <li key={step.cell_id}>
          <Chips step={step} />
          <span>{serverText(step.sentence, step.message)}</span>
        </li>
      ))}
    </ul>
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
      table={
        <HopCostTable model={model} ladder={ladder} operation={operation} cellHref={cellHref} />
      }
      image={image?.(ladder.base_id)}
      below={<Words ladder={ladder} />}
    />
  );
}

function hopMarks({ sides }: Pick<HopCostLayout, "sides">): ChartMark[] {
  return sides.flatMap((side) =>
    side.marks.map(({ key, title, lines }) => ({
      key: `${side.key} ${key}`,
      group: side.key,
      text: [side.title, title, ...lines.map((line) => line.join(" "))].join("; "),
    })),
  );
}

function Sides({
  layout,
  width,
  active,
}: {
  layout: HopCostLayout;
  width: number;
  active: string | null;
}) {
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
