import type { ExperimentDraft } from "@/api/draft";
import type { PlanPreview } from "@/api/generated";
import { Button } from "@/components/Button";
import { messages } from "@/messages";
import styles from "./PlanBar.module.css";
import { remedyOf, withRemedy, type Remedy } from "./remedy";

const t = messages("planBar");

interface Props {
  answer: PlanPreview;
  document: ExperimentDraft;
  onDocument: (document: ExperimentDraft) => void;
}

/** What the plan cannot answer, and one button that makes it able to; nothing where it can. */
export function RemedyLine({ answer, document, onDocument }: Props) {
  const remedy = remedyOf(answer);
  if (remedy === null) return null;
  const able = withRemedy(document, remedy);
  return (
    <p className={styles.remedy} role="status">
      <span>⚠ {problemText(remedy)}</span>
      {able !== null && <Button onClick={() => onDocument(able)}>{actionText(remedy)}</Button>}
    </p>
  );
}

function problemText(remedy: Remedy): string {
  switch (remedy.kind) {
    case "rounds": {
      const { rounds, able, comparisons } = remedy;
      const values = { count: rounds, able, comparisons };
      return t(able === 0 ? "decidesNone" : "decides", values);
    }
    case "early":
      return t("early", { count: remedy.rounds });
    case "nothing":
      return t("nothing");
    case "budget":
      return t("budgetShort");
  }
}

function actionText(remedy: Remedy): string {
  switch (remedy.kind) {
    case "rounds":
      return t("useRounds", { count: remedy.enough ?? 0 });
    case "early":
      return t("beginLater", { count: remedy.needed });
    case "nothing":
      return t("varyProxy");
    case "budget":
      return t("noTimeLimit");
  }
}
