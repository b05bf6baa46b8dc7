import { Menu as Base } from "@base-ui/react/menu";
import type { RefObject } from "react";
import styles from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

interface Props {
  id: string;
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: React.ReactNode;
}

/** The open menu of a MenuButton; its first item has the focus, and closing gives it back to the button. */
export function MenuPopup({ id, anchor, onClose, children }: Props) {
  const container = usePopupContainer();
  return (
    <Base.Root
      open
      modal={false}
      onOpenChange={(open, { event }) => {
        // A press of the button closes the menu by itself.
        if (!open && !(event.target instanceof Node && anchor.current?.contains(event.target))) onClose();
      }}
    >
      <Base.Portal container={container}>
        <Base.Positioner className={styles.positioner} anchor={anchor} sideOffset={4} collisionPadding={8} align="end">
          <Base.Popup id={id} className={styles.popup} finalFocus={anchor} aria-label={anchor.current?.getAttribute("aria-label") ?? anchor.current?.textContent ?? undefined}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export default MenuPopup;
