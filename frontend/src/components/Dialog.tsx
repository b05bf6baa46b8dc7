import { useEffect, useId, useRef } from "react";
import { PopupContainer } from "./PopupContainer";
import styles from "./Dialog.module.css";

interface Props {
  title: string;
  open: boolean;
  onClose: () => void;
  children: React.ReactNode;
  actions: React.ReactNode;
  /** Wide enough for long lines of text. */
  wide?: boolean;
}

/** A modal `<dialog>`: Escape closes it, and the focus cannot leave it. */
export function Dialog({ title, open, onClose, children, actions, wide = false }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return (
    <dialog ref={ref} className={styles.dialog} data-wide={wide || undefined} aria-labelledby={id} onClose={onClose}>
      {open && (
        <PopupContainer value={ref}>
          <h2 id={id}>{title}</h2>
          <div className={styles.body}>{children}</div>
          <div className={styles.actions}>{actions}</div>
        </PopupContainer>
      )}
    </dialog>
  );
}
