import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { queries } from "@/api/queries";
import type { ExperimentDraft } from "@/api/draft";
import type { BudgetPlan } from "@/api/generated";
import { Button } from "@/components/Button";
import { formatDuration, formatPercent } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";
import styles from "./Plan.module.css";
import { withBudget } from "./stopping";

const t = messages("experiments");

interface Props {
  document: ExperimentDraft;
  settled: ExperimentDraft;
  host: string | undefined;
  clientHost: string | undefined;
  /** Whether the server refuses the document, which then has no plan. */
  refused: boolean;
  onDocument: (document: ExperimentDraft) => void;
}

/** Requests the plan that fits into a number of minutes, and applies it on request. */
export function Budget({ document, settled, host, clientHost, refused, onDocument }: Props) {
  const id = useId();
  const [text, setText] = useState("");
  const [requested, setRequested] = useState<number | null>(null);
  const minutes = Number(text);
  const able = Number.isInteger(minutes) && minutes > 0;
  const answer = useQuery({
    ...queries.plan(settled, host, clientHost, requested ?? 0),
    enabled: requested !== null && !refused,
  });
  const budget = answer.data?.budget;
  return (
    <form
      className={styles.budget}
      aria-label={t("timeBudget")}
      onSubmit={(event) => {
        event.preventDefault();
        if (able) setRequested(minutes);
      }}
    >
      <p className={styles.query}>
        <label htmlFor={id}>
          <RichText namespace="experiments" id="availableTime" parts={{ field: <input id={id} inputMode="numeric" autoComplete="off" value={text} onChange={(event) => setText(event.target.value)} /> }} />
        </label>
        <Button type="submit" disabled={!able || refused} busy={requested !== null && answer.isFetching}>
          {t("findPlan")}
        </Button>
      </p>
      {requested !== null && !refused && answer.isError && <Note tone="bad">{answer.error.message}</Note>}
      {requested !== null && !refused && budget && <Proposal budget={budget} document={document} onDocument={onDocument} />}
    </form>
  );
}

function Proposal({ budget, document, onDocument }: { budget: BudgetPlan } & Pick<Props, "document" | "onDocument">) {
  return (
    <div className={styles.proposal}>
      <p>{budget.sentence}</p>
      {budget.fits && (
        <>
          <p className={styles.source}>
            {t(budget.smallest_effect === null ? "budgetRounds" : "budgetRoundsEffect", { count: budget.rounds, time: formatDuration(budget.seconds), effect: formatPercent(budget.smallest_effect) })}
          </p>
          <p className={styles.actions}>
            {budget.stopping && (
              <Button kind="primary" onClick={() => onDocument(withBudget(document, budget, true))}>
                {t("usePlan")}
              </Button>
            )}
            <Button kind={budget.stopping ? "plain" : "primary"} onClick={() => onDocument(withBudget(document, budget, false))}>
              {budget.stopping ? t("useFixed", { count: budget.rounds }) : t("usePlan")}
            </Button>
          </p>
        </>
      )}
    </div>
  );
}
