import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { queries } from "@/api/queries";
import type { Equivalence } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatEffect, formatEffectInterval } from "@/components/effect";
import { formatNumber, formatTime } from "@/components/format";
import { serverText } from "@/components/serverText";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import { QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import table from "@/components/table.module.css";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./HostPage.module.css";

const t = messages("hosts");

const PRESET = "lab-equals-host-quick";

/** The comparison of lab daemon and host daemon on this host. */
export function EquivalenceCard({ host, measured, possible }: { host: string; measured: boolean; possible: boolean }) {
  const found = useQuery({ ...queries.equivalence(host), staleTime: 30_000, enabled: measured });
  const mayStart = useMay("write");
  const measure = possible && mayStart && <ButtonLink to={`/new?preset=${PRESET}`}>{found.data ? t("measureAgain") : t("measure")}</ButtonLink>;
  return (
    <Card title={t("equivalence")} note={t("equivalenceNote")} actions={measure} flush={Boolean(found.data)}>
      {measured && <QueryStatus query={found} label={t("loadingComparison")} rows={2} />}
      {(!measured || found.data === null) && (
        <p className={styles.none}>{possible ? t("notMeasured") : t("notMeasurable")}</p>
      )}
      {found.data && <Paths found={found.data} />}
    </Card>
  );
}

function Paths({ found }: { found: Equivalence }) {
  return (
    <>
      <p className={styles.about}>
        <RichText namespace="hosts" id="equivalentWithin" values={{ metric: found.metric, margin: formatNumber(found.margin * 100, 1), at: formatTime(found.finished_at) }} parts={{ run: <Link to={`/runs/${found.run_id}`} /> }} />
      </p>
      <DataTable label={t("equivalence")} columns={[[t("path")], ["n", "num"], [t("ratioHead"), "num"], [t("interval95"), "num"], [t("verdict")]]} tiles>
        {found.paths.map((path) => (
          <tr key={path.cell_id}>
            <th scope="row">{path.label}</th>
            <td data-label="n" className={table.num}>{path.n}</td>
            <td data-label={t("ratio")} className={table.num}>{formatEffect(path)}</td>
            <td data-label={t("interval95")} className={table.num}>{formatEffectInterval(path) || "–"}</td>
            <td data-wide>
              <State label={VERDICTS[path.verdict]}>{serverText(path.sentence, path.message)}</State>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
