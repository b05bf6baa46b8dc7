import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { recordHomeVisit } from "@/api/generated";
import { homeHost, rememberHomeHost } from "@/api/homeHost";
import { queries, RUNS } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { Loading, QueryStatus } from "@/components/Status";
import { useAddress } from "@/components/useAddress";
import { useMay } from "@/components/useMay";
import { useNow } from "@/components/useNow";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { ChangesCard } from "./ChangesCard";
import { FirstStep } from "./FirstStep";
import styles from "./home.module.css";
import { HomeHead } from "./HomeHead";
import { LatestAnswers } from "./LatestAnswers";
import { Questions } from "./Questions";
import { RunningStrip } from "./RunningStrip";

const t = messages("home");
const ACTIVE_MS = 10_000;
const IDLE_MS = 60_000;

/** The first page: questions with their answers on a host, what runs, latest answers, changes. */
export function HomePage() {
  useTitle("");
  const client = useQueryClient();
  const now = useNow();
  const mayWrite = useMay("write");
  const [query, change] = useAddress();
  const home = useQuery({
    ...queries.home(homeHost(query)),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.active.length ? ACTIVE_MS : IDLE_MS),
  });
  const visit = useMutation({
    mutationFn: (allSeen: boolean) => recordHomeVisit({ body: { all_seen: allSeen } }),
    onSuccess: (_, allSeen) =>
      allSeen ? client.invalidateQueries({ queryKey: [...RUNS, "home"] }) : undefined,
  });
  const { mutate } = visit;
  const recorded = useRef(false);
  const shown = home.data !== undefined;
  useEffect(() => {
    if (!shown || recorded.current) return;
    recorded.current = true;
    mutate(false);
  }, [shown, mutate]);
  const found = home.data;
  // Nothing moves: what is below is shown once the height of what is above is known.
  const presets = useQuery(queries.presets());
  const isPending = home.isPending || presets.isPending;
  const isEmpty = found?.recent.length === 0 && found.active.length === 0;
  const chooseHost = (name: string) => {
    rememberHomeHost(name);
    change({ host: name });
  };
  return (
    <div className={styles.page}>
      <HomeHead home={found} onHost={chooseHost} />
      {isPending && <Loading label={t("loading")} rows={12} />}
      {home.isError && !found && <QueryStatus query={home} label={t("loading")} />}
      {!isPending && (
        <>
          {found && <RunningStrip home={found} />}
          {found && isEmpty && <FirstStep hosts={found.hosts} />}
          <Questions home={found} now={now} />
          {found && !isEmpty && <LatestAnswers runs={found.recent} now={now} />}
          {found?.changes && (
            <ChangesCard
              changes={found.changes}
              busy={visit.isPending}
              onSeen={() => mutate(true)}
            />
          )}
          <p className={styles.links}>
            <ButtonLink to="/new" kind="ghost">{t("ownAction")}</ButtonLink>
            {mayWrite && <ButtonLink to="/import" kind="ghost">{t("importLogs")}</ButtonLink>}
          </p>
        </>
      )}
    </div>
  );
}
