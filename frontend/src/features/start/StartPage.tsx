import { useQuery } from "@tanstack/react-query";
import { getFactors } from "@/api/getFactors";
import { getPresets } from "@/api/getPresets";
import { keys } from "@/api/queryKeys";
import { ButtonLink } from "@/components/Button";
import { Failure, Loading } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { HostList } from "./HostList";
import { RunList } from "./RunList";
import { studies } from "./studies";
import { StudyCard } from "./StudyCard";
import { useRuns } from "./useRuns";
import styles from "./StartPage.module.css";

/** Where one begins: the studies that can be run, what ran, and on which hosts. */
export function StartPage() {
  useTitle("");
  const presets = useQuery({ queryKey: keys.presets, queryFn: getPresets, staleTime: Infinity });
  const runs = useRuns();
  // One primary action: the empty list's own, later the quick look.
  const ran = runs.runs?.length !== 0;
  const quick = presets.data?.find((preset) => preset.form === "quick");
  // The form of the next page needs them: asked for early, so that it opens at once.
  useQuery({ queryKey: keys.factors, queryFn: getFactors, staleTime: Infinity });
  return (
    <>
      <header className={styles.hero}>
        <h1>How much does your container network carry?</h1>
        <p>
          Run the same load over every network path of a Docker host, and see throughput and CPU side by side: with intervals, verdicts, and proof that the bytes took
          the path that the label names.
        </p>
      </header>
      <section aria-label="Studies" className={styles.presets}>
        {presets.isPending && <Loading label="Loading the studies" rows={5} />}
        {presets.isError && !presets.data && <Failure error={presets.error} retry={() => void presets.refetch()} />}
        {presets.data && studies(presets.data).map((group) => <StudyCard key={group.study} group={group} primary={ran ? quick : undefined} />)}
        {presets.data && (
          <div className={styles.own}>
            <h2>Your own question</h2>
            <p>Choose factors and levels, see the plan and how long it takes, then run it.</p>
            <ButtonLink to="/new">Define an experiment</ButtonLink>
          </div>
        )}
        {presets.data && (
          <div className={styles.own}>
            <h2>Measured before</h2>
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
