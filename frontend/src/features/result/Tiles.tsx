import type { ChartModel } from "@/api/generated";
import { State } from "@/components/State";
import { OUTCOMES } from "@/components/outcome";
import { messages } from "@/messages";
import styles from "./Tiles.module.css";
import { tilesOf, trialCounts, type Tile } from "./tileFigures";

const t = messages("answer");

interface Props {
  model: ChartModel;
  /** Opens what measures the lost trials again; only of an ended run, for who may start one. */
  measureLost?: (() => void) | undefined;
}

/** The four figures of a result. */
export function Tiles({ model, measureLost }: Props) {
  return (
    <dl className={styles.tiles}>
      {tilesOf(model).map((tile) => (
        <OneTile key={tile.key} tile={tile}>
          {tile.key === "quality" && measureLost && trialCounts(model).lost > 0 && (
            <button type="button" className={styles.measure} onClick={measureLost}>
              {t("measureLost", { count: trialCounts(model).lost })}
            </button>
          )}
        </OneTile>
      ))}
    </dl>
  );
}

function OneTile({
  tile: { name, value, unit, detail, outcome },
  children,
}: {
  tile: Tile;
  children: React.ReactNode;
}) {
  return (
    <div className={styles.tile}>
      <dt>{name}</dt>
      <dd>
        <b data-outcome={outcome}>{value}</b> {unit && <small>{unit}</small>}
        {(outcome === "worse" || outcome === "better") && (
          <State label={OUTCOMES[outcome]} glyphOnly />
        )}
        {children}
      </dd>
      <dd className={styles.detail} title={detail}>
        {detail}
      </dd>
    </div>
  );
}
