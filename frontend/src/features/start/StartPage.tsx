import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { useTitle } from "@/components/useTitle";
import { HostList } from "./HostList";
import { RunList } from "./RunList";
import { studies } from "./studies";
import { StudyCard } from "./StudyCard";
import { useRunFilter } from "./useRunFilter";
import { useRuns } from "./useRuns";
import styles from "./StartPage.module.css";

/** The start page: studies, runs and hosts. */
export function StartPage() {
  useTitle("");
  const presets = useQuery(queries.presets());
  const mayWrite = useMay("write");
  const { filter, change } = useRunFilter();
  const runs = useRuns(filter);
  const isFiltered = Object.keys(filter).length > 0;
  // The primary action is that of the empty list of runs, later the quick form.
  const hasRuns = isFiltered || runs.runs?.length !== 0;
  const quick = presets.data?.find((preset) => preset.form === "quick");
  // Prefetches the factors for the form of the next page.
  useQuery(queries.factors());
  return (
    <>
      <header className={styles.hero}>
        <h1>What does each container network path cost?</h1>
        <p>
          Run the same load over every network path of a Docker host, and see throughput and CPU side by side: with intervals, verdicts, and evidence that the traffic took
          the named path.
        </p>
      </header>
      <section aria-label="Studies" className={styles.presets}>
        <QueryStatus query={presets} label="Loading the studies" rows={5} />
        {presets.data && studies(presets.data).map((group) => <StudyCard key={group.study} group={group} primary={hasRuns ? quick : undefined} />)}
        {presets.data && (
          <div className={styles.own}>
            <h2>Your own experiment</h2>
            <p>Choose factors and levels, and check the plan and its duration{mayWrite ? ", then run it" : ""}.</p>
            <ButtonLink to="/new">Define an experiment</ButtonLink>
          </div>
        )}
        {presets.data && (
          <div className={styles.own}>
            <h2>Earlier measurements</h2>
            <p>{mayWrite ? "Import logs of pgbench, wrk, ab or iperf3 as a run with the same statistics, or compare two runs and their environments." : "Compare two runs and their environments. With the role runner you could import logs as a run, too."}</p>
            <p className={styles.links}>
              {mayWrite && <ButtonLink to="/import">Import logs</ButtonLink>}
              <ButtonLink to="/compare" kind="ghost">Compare two runs</ButtonLink>
            </p>
          </div>
        )}
      </section>
      <div className={styles.columns}>
        <RunList runs={runs} first={quick ?? presets.data?.[0]} filter={filter} onFilter={change} />
        <HostList />
      </div>
    </>
  );
}
