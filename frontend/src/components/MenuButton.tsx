import { lazy, Suspense, useId, useRef, useState } from "react";
import { withMessages } from "@/messages";
import styles from "./Button.module.css";

const load = () => withMessages(import("./MenuPopup"));
const MenuPopup = lazy(load);

interface Props {
  /** The visible text of the button. */
  button: React.ReactNode;
  /** The button's name where its text is a symbol or says too little. */
  label?: string;
  kind?: "primary" | "plain" | "danger" | "ghost";
  disabled?: boolean;
  /** Items of components/Menu, in a component that is loaded on demand. */
  children: React.ReactNode;
}

/** A button of the first view that opens a menu, whose code is loaded when it is needed first. Elsewhere use Menu. */
export function MenuButton({ button, label, kind = "ghost", disabled = false, children }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={styles.button}
        data-kind={kind}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        disabled={disabled}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => setOpen(!open)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {button}
      </button>
      {open && (
        <Suspense fallback={null}>
          <MenuPopup id={id} anchor={anchor} onClose={() => setOpen(false)}>
            {children}
          </MenuPopup>
        </Suspense>
      )}
    </>
  );
}
