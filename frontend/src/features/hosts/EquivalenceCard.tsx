import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { queries } from "@/api/queries";
import type { Equivalence } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { DataTable } from "@/components/DataTable";
import { formatInterval, formatNumber, formatRatio, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/stateLabels";
import { QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import table from "@/components/table.module.css";
import styles from "./HostPage.module.css";

const PRESET = "lab-equals-host-quick";

/** The comparison of lab daemon and host daemon on this host. */
export function EquivalenceCard({ host, possible }: { host: string; possible: boolean }) {
  const found = useQuery({ ...queries.equivalence(host), staleTime: 30_000 });
  const mayStart = useMay("write");
  const measure = possible && mayStart && <ButtonLink to={`/new?preset=${PRESET}`}>{found.data ? "Measure again" : "Measure"}</ButtonLink>;
  return (
    <Card title="Lab daemon against host daemon" note="The same paths with both Docker daemons, interleaved; the ratio is host ÷ lab" actions={measure} flush={Boolean(found.data)}>
      <QueryStatus query={found} label="Loading the comparison" rows={2} />
      {found.data === null && (
        <p className={styles.none}>{possible ? "Not measured on this host yet." : "Not measured: the host’s own daemon cannot be used; see Docker daemons for the reason."}</p>
      )}
      {found.data && <Paths found={found.data} />}
    </Card>
  );
}

function Paths({ found }: { found: Equivalence }) {
  return (
    <>
      <p className={styles.about}>
        {found.metric}, equivalent within {formatNumber(found.margin * 100, 1)} %; from <Link to={`/runs/${found.run_id}`}>the run of {formatTime(found.finished_at)}</Link>
      </p>
      <DataTable label="Lab daemon against host daemon" columns={[["Path"], ["n", "num"], ["Ratio", "num"], ["95 % interval", "num"], ["Verdict"]]} tiles>
        {found.paths.map((path) => (
          <tr key={path.cell_id}>
            <th scope="row">{path.label}</th>
            <td data-label="n" className={table.num}>{path.n}</td>
            <td data-label="ratio" className={table.num}>{formatRatio(path.ratio)}</td>
            <td data-label="95 % interval" className={table.num}>{formatInterval(path.interval, 3)}</td>
            <td data-wide>
              <State label={VERDICTS[path.verdict]}>{path.sentence}</State>
            </td>
          </tr>
        ))}
      </DataTable>
    </>
  );
}
