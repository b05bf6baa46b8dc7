import { Menu as Base } from "@base-ui/react/menu";
import { Link } from "react-router";
import buttonStyles from "./Button.module.css";
import styles from "./popup.module.css";
import { usePopupContainer } from "./PopupContainer";

interface MenuProps {
  /** The visible text of the button. */
  button: React.ReactNode;
  /** The button's name where its text is a symbol or says too little. */
  label?: string;
  kind?: "primary" | "plain" | "danger" | "ghost";
  disabled?: boolean;
  align?: "start" | "center" | "end";
  children: React.ReactNode;
}

/** A button that opens a menu. Arrow keys, Home, End and first letters move in it; Escape closes it and returns the focus. */
export function Menu({ button, label, kind = "plain", disabled = false, align = "start", children }: MenuProps) {
  const container = usePopupContainer();
  return (
    <Base.Root modal={false}>
      <Base.Trigger className={buttonStyles.button} data-kind={kind} aria-label={label} disabled={disabled}>
        {button}
      </Base.Trigger>
      <Base.Portal container={container}>
        <Base.Positioner className={styles.positioner} sideOffset={4} collisionPadding={8} align={align}>
          <Base.Popup className={styles.popup}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface ItemProps {
  children: React.ReactNode;
  /** A second line. */
  detail?: React.ReactNode;
  /** The keys of its shortcut. */
  keys?: string;
}

const Content = ({ children, detail, keys }: ItemProps) => (
  <>
    <span className={styles.text}>
      <span>{children}</span>
      {detail !== undefined && <span className={styles.detail}>{detail}</span>}
    </span>
    {keys && <kbd className={styles.keys}>{keys}</kbd>}
  </>
);

/** An item of a menu that does something. */
export function MenuItem({ onSelect, disabled = false, kind, ...content }: ItemProps & { onSelect: () => void; disabled?: boolean; kind?: "danger" }) {
  return (
    <Base.Item className={styles.item} data-kind={kind} disabled={disabled} onClick={onSelect}>
      <Content {...content} />
    </Base.Item>
  );
}

type LinkProps = ItemProps & ({ to: string; href?: never } | { href: string; to?: never }) & {
  download?: boolean | string;
  isNewTab?: boolean;
  current?: boolean;
};

/** An item of a menu that leads to another page of Plimsoll, or with `href` to a file. */
export function MenuLink({ to, href, download, isNewTab = false, current = false, ...content }: LinkProps) {
  const tab = isNewTab && { target: "_blank", rel: "noreferrer" };
  const anchor = to === undefined ? <a href={href} download={download} {...tab} /> : <Link to={to} />;
  return (
    <Base.LinkItem className={styles.item} closeOnClick render={anchor} aria-current={current ? "page" : undefined}>
      <Content {...content} />
    </Base.LinkItem>
  );
}

/** An item of a menu that is on or off. The menu stays open. */
export function MenuCheck({ checked, onChange, ...content }: ItemProps & { checked: boolean; onChange: (checked: boolean) => void }) {
  return (
    <Base.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
      <Mark on={checked} />
      <Content {...content} />
    </Base.CheckboxItem>
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string; detail?: string; lang?: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A labelled group of items, of which one is chosen. */
export function MenuChoice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.groupLabel}>{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as T)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} className={styles.item} value={option.value} lang={option.lang} closeOnClick>
            <Mark on={option.value === value} />
            <Content detail={option.detail}>{option.label}</Content>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

const Mark = ({ on }: { on: boolean }) => (
  <span className={styles.mark} aria-hidden="true">
    {on ? "✓" : ""}
  </span>
);

/** A labelled group of items. */
export function MenuGroup({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <Base.Group>
      <Base.GroupLabel className={styles.groupLabel}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className={styles.separator} />;
}
