import { Link } from "react-router";
import { messages } from "@/messages";
import styles from "./Breadcrumb.module.css";

const t = messages("common");

export interface Crumb {
  label: string;
  to?: string;
}

/** The path to this page; every parent is a link. */
export function Breadcrumb({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label={t("breadcrumb")} data-breadcrumb className={styles.crumbs}>
      <ol>
        {crumbs.map((crumb, index) => (
          <li key={`${index} ${crumb.label}`}>
            {crumb.to ? <Link to={crumb.to}>{crumb.label}</Link> : <span aria-current="page">{crumb.label}</span>}
          </li>
        ))}
      </ol>
    </nav>
  );
}
