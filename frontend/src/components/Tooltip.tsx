import { Tooltip as Base } from "@base-ui/react/tooltip";
import { useId, type ReactElement } from "react";
import styles from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

interface Props {
  text: string;
  /** Whether the text is the control's name (a button with a symbol) or describes it. */
  as?: "name" | "description";
  /** One element that takes the focus, such as a button or a link. */
  children: ReactElement<Record<string, unknown>>;
}

/** A short text on hover and focus of a control; Escape closes it. Touch screens do not show it: text that everybody needs belongs on the page or in a Popover. */
export function Tooltip({ text, as = "description", children }: Props) {
  const id = useId();
  const container = usePopupContainer();
  return (
    <Base.Root>
      <Base.Trigger render={children} {...(as === "name" ? { "aria-label": text } : { "aria-describedby": id })} />
      {as === "description" && (
        <span id={id} hidden>
          {text}
        </span>
      )}
      <Base.Portal container={container}>
        <Base.Positioner className={styles.positioner} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={styles.tip} aria-hidden="true">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
