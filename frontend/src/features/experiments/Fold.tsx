import { useState } from "react";
import styles from "./Builder.module.css";

interface Props {
  title: React.ReactNode;
  /** What is in it, beside its title while it is closed. */
  note?: React.ReactNode;
  /** Whether something in it is refused: then it is open. */
  isRefused?: boolean;
  isOpenAtFirst?: boolean;
  /** Whether its content is made when it is opened for the first time. */
  isLazy?: boolean;
  children: React.ReactNode;
}

/** A part of the form that is folded until somebody needs it. */
export function Fold(props: Props) {
  const { title, note, isRefused = false, isOpenAtFirst = false, isLazy = false, children } = props;
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [wasOpen, setWasOpen] = useState(isOpenAtFirst);
  const shown = isOpen || isRefused;
  const toggle = (event: React.ToggleEvent<HTMLDetailsElement>) => {
    const next = event.currentTarget.open;
    setOpen(next);
    if (next) setWasOpen(true);
  };
  return (
    <details className={styles.fold} open={shown} onToggle={toggle}>
      <summary>
        <span className={styles.foldTitle}>{title}</span>
        {note !== undefined && <span className={styles.foldNote}>{note}</span>}
      </summary>
      {(!isLazy || wasOpen || shown) && <div className={styles.foldBody}>{children}</div>}
    </details>
  );
}
