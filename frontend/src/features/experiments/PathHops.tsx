import type { PathChoice } from "@/api/generated";
import { Hops } from "@/components/Hops";
import { messages } from "@/messages";
import styles from "./Paths.module.css";

const t = messages("experiments");

/** The hops of a path under the chosen settings of userland-proxy: one row where they are the same. */
export function PathHops({ path, settings }: { path: PathChoice; settings: readonly boolean[] }) {
  const rows = (settings.length === 0 ? [true] : settings).map((isOn) => ({ isOn, hops: path.hops[isOn ? "on" : "off"] ?? null }));
  const same = rows.every(({ hops }) => JSON.stringify(hops) === JSON.stringify(rows[0]?.hops));
  return (same ? rows.slice(0, 1) : rows).map(({ isOn, hops }) => (
    <div key={String(isOn)} className={styles.hops}>
      {!same && <span>{isOn ? t("proxyOn") : t("proxyOff")}</span>}
      {hops === null ? <bdi>{path.unreachable}</bdi> : <Hops hops={hops} />}
    </div>
  ));
}
