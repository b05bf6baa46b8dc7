import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { Note } from "@/components/Status";
import styles from "./Administration.module.css";

interface Props {
  page: "Teams" | "Accounts" | "Audit log";
  meta: string;
  children: React.ReactNode;
}

/** A page of the administration: its head, the links between these pages, and its content for administrators of the installation only. */
export function AdministrationPage({ page, meta, children }: Props) {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Administration" }]} title={`Administration: ${page.toLowerCase()}`} meta={meta} />
      {data?.account.installation_admin === false ? (
        <Note tone="info">Only administrators of the installation see its teams and accounts. Whoever operates this server names them.</Note>
      ) : (
        <>
          <nav aria-label="Administration" className={styles.nav}>
            <NavLink to="/administration" end>Teams</NavLink>
            <NavLink to="/administration/accounts">Accounts</NavLink>
            <NavLink to="/administration/audit">Audit log</NavLink>
          </nav>
          {children}
        </>
      )}
    </>
  );
}
