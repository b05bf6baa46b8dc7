import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Administration.module.css";

const t = messages("administration");

interface Props {
  page: "teams" | "accounts" | "audit";
  meta: string;
  children: React.ReactNode;
}

/** A page of the administration: its head, the links between these pages, and its content for administrators of the installation only. */
export function AdministrationPage({ page, meta, children }: Props) {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("administration") }]} title={t(page === "teams" ? "titleTeams" : page === "accounts" ? "titleAccounts" : "titleAudit")} meta={meta} />
      {data?.account.installation_admin === false ? (
        <Note tone="info">{t("onlyAdmins")}</Note>
      ) : (
        <>
          <nav aria-label={t("administration")} className={styles.nav}>
            <NavLink to="/administration" end>{t("teams")}</NavLink>
            <NavLink to="/administration/accounts">{t("accounts")}</NavLink>
            <NavLink to="/administration/audit">{t("audit")}</NavLink>
          </nav>
          {children}
        </>
      )}
    </>
  );
}
