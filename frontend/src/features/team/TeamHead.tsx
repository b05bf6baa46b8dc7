import { useQuery } from "@tanstack/react-query";
import { NavLink } from "react-router";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./TeamHead.module.css";

const t = messages("team");

export type TeamPageName = "members" | "usage" | "webhooks" | "audit";

/** The head of every page of the team: its name, and the links between these pages. */
export function TeamHead({ page, meta }: { page: TeamPageName; meta?: React.ReactNode }) {
  const session = useQuery({ ...queries.session(), enabled: false });
  const isAdmin = useMay("admin");
  const name = session.data?.team?.name ?? t("team");
  const crumbs = page === "members" ? [{ label: t("start"), to: "/" }, { label: t("team") }] : [{ label: t("start"), to: "/" }, { label: t("team"), to: "/team" }, { label: t(page) }];
  return (
    <>
      <PageHead crumbs={crumbs} title={page === "members" ? name : t("pageOf", { page: t(page), team: name })} meta={meta} />
      <nav aria-label={t("team")} className={styles.nav}>
        <NavLink to="/team" end>{t("members")}</NavLink>
        <NavLink to="/team/usage">{t("usage")}</NavLink>
        {isAdmin && <NavLink to="/team/webhooks">{t("webhooks")}</NavLink>}
        {isAdmin && <NavLink to="/team/audit">{t("audit")}</NavLink>}
      </nav>
    </>
  );
}
