import type { Resolution } from "@/api/generated";
import { formatNumber, formatPercent } from "@/components/format";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Plan.module.css";

const t = messages("experiments");

/** The smallest difference that the plan can show, and the rounds that other differences need. */
export function ResolutionView({ resolution }: { resolution: Resolution }) {
  const { smallest_effect, rounds_for, source, comparisons, spread, metric } = resolution;
  return (
    <section className={styles.resolution} aria-label={t("resolution")}>
      <p>
        <RichText namespace="experiments" id={smallest_effect === null ? "effectNone" : "effect"} values={{ effect: formatPercent(smallest_effect) }} parts={{ b: <b /> }} />
      </p>
      {rounds_for.length > 0 && (
        <details>
          <summary>{t("roundsForOthers")}</summary>
          <table className={`${table.table} ${styles.rounds}`}>
            <thead>
              <tr>
                <th scope="col" className={table.num}>{t("difference")}</th>
                <th scope="col" className={table.num}>{t("rounds")}</th>
              </tr>
            </thead>
            <tbody>
              {rounds_for.map(({ effect, rounds }) => (
                <tr key={effect}>
                  <th scope="row" className={table.num}>{formatPercent(effect)}</th>
                  <td className={table.num}>{rounds === null ? t("moreThan", { limit: formatNumber(1000) }) : formatNumber(rounds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
      <p className={styles.source}>
        {t("resolutionSource", { count: comparisons, metric, spread: formatPercent(spread), source })}
      </p>
    </section>
  );
}
