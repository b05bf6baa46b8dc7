import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { recordHomeVisit } from "@/api/generated";
import { queries } from "@/api/queries";
import { QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { Activity } from "./Activity";
import { ChangesCard } from "./ChangesCard";
import { FirstStep } from "./FirstStep";
import styles from "./HomePage.module.css";
import { RecentResults } from "./RecentResults";
import { StudyList } from "./StudyList";

const t = messages("home");
const ACTIVE_MS = 15_000;
const IDLE_MS = 60_000;

/** The first page: what runs and waits, the newest results, what changed since the last visit, and the studies. */
export function HomePage() {
  useTitle("");
  const client = useQueryClient();
  const home = useQuery({ ...queries.home(), refetchInterval: (query) => (query.state.data?.active.length ? ACTIVE_MS : IDLE_MS) });
  const visit = useMutation({
    mutationFn: (allSeen: boolean) => recordHomeVisit({ body: { all_seen: allSeen } }),
    onSuccess: (_, allSeen) => (allSeen ? client.invalidateQueries({ queryKey: queries.home().queryKey }) : undefined),
  });
  const { mutate } = visit;
  const recorded = useRef(false);
  const shown = home.data !== undefined;
  useEffect(() => {
    if (!shown || recorded.current) return;
    recorded.current = true;
    mutate(false);
  }, [shown, mutate]);
  const isEmpty = home.data?.active.length === 0 && home.data.recent.length === 0;
  return (
    <>
      <header className={styles.hero}>
        <h1>{t("title")}</h1>
        <p>{t("lead")}</p>
      </header>
      <QueryStatus query={home} label={t("loading")} rows={6} />
      {home.data && isEmpty && <FirstStep hosts={home.data.hosts} />}
      {home.data && (
        <div className={styles.columns}>
          <div className={styles.column}>{!isEmpty && <RecentResults runs={home.data.recent} />}</div>
          <div className={styles.column}>
            <Activity home={home.data} />
            {home.data.changes && <ChangesCard changes={home.data.changes} busy={visit.isPending} onSeen={() => mutate(true)} />}
          </div>
        </div>
      )}
      <StudyList primary={!isEmpty} />
    </>
  );
}
