import { formatSigned } from "@/components/format";
import { Chips } from "./HopChips";
import styles from "./HopCostCard.module.css";
import type { HopPanel } from "./hopPanelLayout";
import { nameWidth } from "./intervalLayout";
import { IntervalRows } from "./IntervalRows";

interface Props {
  panels: readonly HopPanel[];
  width: number;
  /** The key of the mark that the keyboard is on. */
  active: string | null;
}

const GAP = 28;
/** A panel is at least so wide. */
const LEAST = 330;

/** A small chart for each path, on the same axes; CPU above throughput. */
export function HopPanels({ panels, width, active }: Props) {
  const columns = Math.max(1, Math.min(panels.length, Math.floor((width + GAP) / (LEAST + GAP))));
  const own = Math.floor((width - GAP * (columns - 1)) / columns);
  const left = Math.min(
    own * 0.5,
    nameWidth(panels.flatMap(({ sides }) => sides.flatMap(({ rows }) => rows))),
  );
  const grid = { gridTemplateColumns: `repeat(${columns}, ${own}px)`, columnGap: GAP };
  return (
    <div className={styles.panels} style={grid}>
      {panels.map(({ title, step, height, sides }) => (
        <div key={title} className={styles.panel}>
          <p className={styles.path} dir="auto">
            {title}
          </p>
          <Chips step={step} />
          {sides.map((side) => (
            <div key={side.key}>
              <p className={styles.title} style={{ paddingLeft: left }}>
                {side.title} ({side.unit})
              </p>
              <IntervalRows
                width={own}
                height={height}
                rows={side.rows}
                marks={side.marks}
                active={
                  active?.startsWith(`${side.key} `) ? active.slice(side.key.length + 1) : null
                }
                domain={side.domain}
                rule={0}
                bars
                left={left}
                format={formatSigned}
              />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
