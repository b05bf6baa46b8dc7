import { useContext } from "react";
import styles from "./Card.module.css";
import { HeadingLevel } from "./headingLevel";

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
  const Heading = useContext(HeadingLevel) === 3 ? "h3" : "h2";
  return (
    <section className={styles.card} id={id}>
      {(title !== undefined || actions !== undefined) && (
        <header className={styles.head}>
          <div className={styles.titles}>
            <Heading>{title}</Heading>
            {note !== undefined && <p className={styles.note}>{note}</p>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
