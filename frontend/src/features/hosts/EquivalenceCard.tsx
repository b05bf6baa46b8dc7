import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { getEquivalence } from "@/api/getEquivalence";
import { keys } from "@/api/queryKeys";
import type { Equivalence } from "@/api/types";
import { ButtonLink } from "@/components/Button";
import { Card } from "@/components/Card";
import { formatInterval, formatNumber, formatRatio, formatTime } from "@/components/format";
import { State } from "@/components/State";
import { VERDICTS } from "@/components/states";
import { Failure, Loading } from "@/components/Status";
import table from "@/components/table.module.css";
import { TableScroll } from "@/components/TableScroll";
import styles from "./HostPage.module.css";

const PRESET = "lab-equals-host-quick";

/** How far a private engine gives the figures of the host's own daemon, as measured on this very host. */
export function EquivalenceCard({ host, possible }: { host: string; possible: boolean }) {
  const found = useQuery({ queryKey: keys.equivalence(host), queryFn: () => getEquivalence(host), staleTime: 30_000 });
  const measure = possible && <ButtonLink to={`/new?preset=${PRESET}`}>{found.data ? "Measure again" : "Measure it"}</ButtonLink>;
  return (
    <Card title="Lab against the host’s own daemon" note="The same paths in both engines, interleaved; the ratio is host ÷ lab" actions={measure} flush={Boolean(found.data)}>
      {found.isPending && <Loading label="Loading the comparison" rows={2} />}
      {found.isError && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.data === null && (
        <p className={styles.none}>{possible ? "Not measured on this host yet." : "Not measured: the host’s own daemon cannot be used here; the reason stands under Engines."}</p>
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
      <TableScroll label="Lab against the host’s own daemon" folding>
        <table className={`${table.table} ${table.fold} ${table.tiles}`}>
          <thead>
            <tr>
              <th scope="col">Path</th>
              <th scope="col" className={table.num}>n</th>
              <th scope="col" className={table.num}>Ratio</th>
              <th scope="col" className={table.num}>95 % interval</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            {found.paths.map((path) => (
              <tr key={path.cell_id}>
                <th scope="row">{path.label}</th>
                <td data-label="n" className={table.num}>{path.n}</td>
                <td data-label="ratio" className={table.num}>{formatRatio(path.ratio)}</td>
                <td data-label="95 % interval" className={table.num}>{formatInterval(path.interval, 3)}</td>
                <td data-wide>
                  <State told={VERDICTS[path.verdict]}>{path.sentence}</State>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </>
  );
}
