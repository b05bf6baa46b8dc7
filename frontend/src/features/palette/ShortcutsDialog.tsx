import { Link } from "react-router";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { keysText, useRegistered, useShortcutsOn } from "@/components/shortcuts";
import { messages } from "@/messages";
import styles from "./ShortcutsDialog.module.css";

const t = messages("palette");

/** All shortcuts of the open page, and the switch that turns those of single keys off. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useShortcutsOn();
  const byKeys = new Map(useRegistered().flatMap(({ keys, label }) => (keys === null ? [] : [[keys, label] as const])));
  return (
    <Dialog title={t("shortcuts")} open onClose={onClose} actions={<Button onClick={onClose}>{t("close")}</Button>}>
      <dl className={styles.list}>
        {[...byKeys].map(([keys, label]) => (
          <div key={keys}>
            <dt>
              {keysText(keys).split(" ").map((key, index) => (
                <kbd key={index}>{key}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>{t("escape")}</dd>
        </div>
      </dl>
      <label className={styles.switch}>
        <input type="checkbox" checked={on} onChange={(event) => setOn(event.target.checked)} /> {t("singleKeys")}
      </label>
      <p>
        <Link to="/help" onClick={onClose}>
          {t("toHelp")}
        </Link>
      </p>
    </Dialog>
  );
}

export default ShortcutsDialog;
