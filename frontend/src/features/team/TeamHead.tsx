import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { useMay } from "@/components/useMay";
import styles from "./TeamHead.module.css";

/** The head of every page of the team: its name, and the links between these pages. */
export function TeamHead({ page, meta }: { page: string; meta?: React.ReactNode }) {
  const session = useQuery({ ...queries.session(), enabled: false });
  const isAdmin = useMay("admin");
  const name = session.data?.team?.name ?? "Team";
  const crumbs = page === "Members" ? [{ label: "Start", to: "/" }, { label: "Team" }] : [{ label: "Start", to: "/" }, { label: "Team", to: "/team" }, { label: page }];
  return (
    <>
      <PageHead crumbs={crumbs} title={page === "Members" ? name : `${page} of ${name}`} meta={meta} />
      <nav aria-label="Team" className={styles.nav}>
        <NavLink to="/team" end>Members</NavLink>
        <NavLink to="/team/usage">Usage</NavLink>
        {isAdmin && <NavLink to="/team/webhooks">Webhooks</NavLink>}
        {isAdmin && <NavLink to="/team/audit">Audit log</NavLink>}
      </nav>
    </>
  );
}
