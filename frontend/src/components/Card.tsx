import styles from "./Card.module.css";

interface Props {
  title?: React.ReactNode;
  note?: React.ReactNode;
  actions?: React.ReactNode;
  flush?: boolean;
  children: React.ReactNode;
  id?: string;
}

/** A titled surface; `flush` lets tables reach its edges. */
export function Card({ title, note, actions, flush = false, children, id }: Props) {
  return (
    <section className={styles.card} id={id}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.head}>
          <div className={styles.titles}>
            <h2>{title}</h2>
            {note !== undefined && <p className={styles.note}>{note}</p>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
