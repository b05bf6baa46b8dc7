import { Breadcrumb, type Crumb } from "./Breadcrumb";
import styles from "./PageHead.module.css";

interface Props {
  crumbs: readonly Crumb[];
  title: React.ReactNode;
  meta?: React.ReactNode;
  actions?: React.ReactNode;
}

/** The head of a page: breadcrumb, title, one line of facts, actions. */
export function PageHead({ crumbs, title, meta, actions }: Props) {
  return (
    <header className={styles.head}>
      <Breadcrumb crumbs={crumbs} />
      <div className={styles.line}>
        <div className={styles.titles}>
          <h1>{title}</h1>
          {meta !== undefined && <div className={styles.meta}>{meta}</div>}
        </div>
        {actions !== undefined && <div className={styles.actions} data-page-actions>{actions}</div>}
      </div>
    </header>
  );
}
