import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { PageHead } from "@/components/PageHead";
import { QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { studies } from "./studies";
import styles from "./StudiesPage.module.css";
import { StudyCard } from "./StudyCard";

const t = messages("studies");

/** The published studies as presets, each with a picture of the figures that it printed. */
export function StudiesPage() {
  useTitle(t("title"));
  const presets = useQuery(queries.presets());
  const published = useQuery(queries.studies());
  const known = new Map(published.data?.map((study) => [study.name, study]));
  const actions = <ButtonLink to="/new">{t("ownAction")}</ButtonLink>;
  return (
    <>
      <PageHead
        crumbs={[{ label: t("home"), to: "/" }, { label: t("title") }]}
        title={t("title")}
        meta={t("meta")}
        actions={actions}
      />
      <QueryStatus query={presets} label={t("loading")} rows={8} />
      <div className={styles.gallery}>
        {presets.data &&
          studies(presets.data).map((group) => (
            <StudyCard key={group.study} group={group} published={known.get(group.study)} />
          ))}
      </div>
    </>
  );
}
