import { exportUrl } from "@/api/exports";
import type { Run } from "@/api/generated";
import { historyHref } from "@/api/historyHref";
import { MenuItem, MenuLink, MenuSeparator } from "@/components/Menu";
import { messages } from "@/messages";

const t = messages("runs");

interface Props {
  run: Run;
  /** Undefined: the run cannot be deleted now, or not by this account. */
  onDelete: (() => void) | undefined;
}

/** What else can be done with a run, as items of a menu. */
export function RunItems({ run, onDelete }: Props) {
  const isMeasured = run.origin === "measured";
  return (
    <>
      <MenuLink to={`/compare?b=${run.id}`}>{t("compareWith")}</MenuLink>
      <MenuLink href={exportUrl(run.id, "report")} isNewTab>
        {t("report")}
      </MenuLink>
      {isMeasured && (
        <MenuLink to={historyHref(run.experiment_id, run.host)}>{t("history")}</MenuLink>
      )}
      {isMeasured && (
        <MenuLink to={`/schedules?experiment=${run.experiment_id}`}>{t("schedules")}</MenuLink>
      )}
      {onDelete && (
        <>
          <MenuSeparator />
          <MenuItem kind="danger" onSelect={onDelete}>
            {t("deleteRun")}
          </MenuItem>
        </>
      )}
    </>
  );
}

export default RunItems;
