import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { QueryStatus } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import { studies } from "./studies";
import { StudyCard } from "./StudyCard";
import styles from "./StudyList.module.css";

const t = messages("home");

/** The published studies as presets, an own experiment, and earlier measurements. `primary`: the quick form is the page's main action. */
export function StudyList({ primary }: { primary: boolean }) {
  const presets = useQuery(queries.presets());
  const mayWrite = useMay("write");
  const quick = presets.data?.find(({ form }) => form === "quick");
  // Prefetches the factors for the form of the next page.
  useQuery(queries.factors());
  return (
    <section aria-labelledby="studies" className={styles.section}>
      <h2 id="studies">{t("studies")}</h2>
      <div className={styles.presets}>
        <QueryStatus query={presets} label={t("loadingStudies")} rows={5} />
        {presets.data && studies(presets.data).map((group) => <StudyCard key={group.study} group={group} primary={primary ? quick : undefined} />)}
        {presets.data && (
          <div className={styles.own}>
            <h3>{t("ownTitle")}</h3>
            <p>{mayWrite ? t("ownText") : t("ownTextViewer")}</p>
            <ButtonLink to="/new">{t("ownAction")}</ButtonLink>
          </div>
        )}
        {presets.data && (
          <div className={styles.own}>
            <h3>{t("earlierTitle")}</h3>
            <p>{mayWrite ? t("earlierText") : t("earlierTextViewer")}</p>
            <p className={styles.links}>
              {mayWrite && <ButtonLink to="/import">{t("importLogs")}</ButtonLink>}
              <ButtonLink to="/compare" kind="ghost">{t("compareRuns")}</ButtonLink>
              <ButtonLink to="/run-groups" kind="ghost">{t("severalHosts")}</ButtonLink>
            </p>
          </div>
        )}
      </div>
    </section>
  );
}
