import { Popover as Base } from "@base-ui/react/popover";
import { messages } from "@/messages";
import buttonStyles from "./Button.module.css";
import styles from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

const t = messages("common");

interface Props {
  button: React.ReactNode;
  /** The button's name where its text is a symbol or says too little. */
  label?: string;
  title: string;
  kind?: "primary" | "plain" | "danger" | "ghost";
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: React.ReactNode;
}

/** A button that opens a small panel with a title, next to it. The focus moves into the panel and back; Escape and a click outside close it. */
export function Popover({ button, label, title, kind = "plain", open, onOpenChange, children }: Props) {
  const container = usePopupContainer();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger className={buttonStyles.button} data-kind={kind} aria-label={label}>
        {button}
      </Base.Trigger>
      <Base.Portal container={container}>
        <Base.Positioner className={styles.positioner} sideOffset={6} collisionPadding={8}>
          <Base.Popup className={styles.popup} data-panel>
            <div className={styles.panel}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              {children}
              <Base.Close className={buttonStyles.button} data-kind="ghost">
                {t("close")}
              </Base.Close>
            </div>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
