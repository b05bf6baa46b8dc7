import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { HostList } from "./HostList";
import { RunList } from "./RunList";
import { studies } from "./studies";
import { StudyCard } from "./StudyCard";
import { useRuns } from "./useRuns";
import styles from "./StartPage.module.css";

/** The start page: the studies that can be run, the runs, and the hosts. */
export function StartPage() {
  useTitle("");
  const presets = useQuery(queries.presets());
  const runs = useRuns();
  // One primary action: the empty list's own, later the quick form.
  const ran = runs.runs?.length !== 0;
  const quick = presets.data?.find((preset) => preset.form === "quick");
  // The form of the next page needs them: asked for early, so that it opens at once.
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
        {presets.data && studies(presets.data).map((group) => <StudyCard key={group.study} group={group} primary={ran ? quick : undefined} />)}
        {presets.data && (
          <div className={styles.own}>
            <h2>Your own experiment</h2>
            <p>Choose factors and levels, see the plan and how long it takes, then run it.</p>
            <ButtonLink to="/new">Define an experiment</ButtonLink>
          </div>
        )}
        {presets.data && (
          <div className={styles.own}>
            <h2>Earlier measurements</h2>
            <p>Logs of pgbench, wrk, ab or iperf3 become a run with the same statistics; two runs are compared with their environments side by side.</p>
            <p className={styles.links}>
              <ButtonLink to="/import">Import logs</ButtonLink>
              <ButtonLink to="/compare" kind="ghost">Compare two runs</ButtonLink>
            </p>
          </div>
        )}
      </section>
      <div className={styles.columns}>
        <RunList runs={runs} first={quick ?? presets.data?.[0]} />
        <HostList />
      </div>
    </>
  );
}
