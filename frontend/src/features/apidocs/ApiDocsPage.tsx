import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "react-router";
import { OPENAPI } from "@/api/apiDescription";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { Empty, QueryStatus } from "@/components/Status";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { groupsOf, type ApiDocument } from "./apiDocument";
import styles from "./ApiDocsPage.module.css";
import { Credentials } from "./Credentials";
import { OperationList } from "./OperationList";
import { OperationView } from "./OperationView";

const t = messages("apidocs");

/** The API of this server: its operations by group, and one of them in detail. */
export function ApiDocsPage() {
  const [query] = useSearchParams();
  const chosen = query.get("operation");
  const found = useQuery(queries.apiDescription());
  const document = found.data as ApiDocument | undefined;
  const groups = useMemo(() => (document ? groupsOf(document) : []), [document]);
  const entry = groups.flatMap(({ entries }) => entries).find(({ id }) => id === chosen);
  useTitle(entry ? `${entry.operation.summary} · ${t("title")}` : t("title"));
  return (
    <>
      <PageHead
        crumbs={[{ label: t("start"), to: "/" }, { label: t("help"), to: "/help" }, { label: t("title") }]}
        title={t("title")}
        meta={t("about")}
        actions={<a href={OPENAPI} download="plimsoll-openapi.json">{t("download")}</a>}
      />
      <QueryStatus query={found} label={t("loading")} rows={12} />
      {document && (
        <div className={styles.columns} data-chosen={chosen !== null || undefined}>
          <OperationList groups={groups} chosen={chosen} />
          <div className={styles.content}>
            {chosen !== null && <Link to="/api-docs" className={styles.back}>{t("allOperations")}</Link>}
            {chosen === null && <Credentials />}
            {chosen !== null && !entry && <Empty title={t("unknown", { id: chosen })} level={2} />}
            {entry && <OperationView key={entry.id} document={document} entry={entry} />}
          </div>
        </div>
      )}
    </>
  );
}
