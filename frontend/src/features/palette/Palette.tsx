import { Autocomplete as Base } from "@base-ui/react/autocomplete";
import { useEffect, useRef, useState } from "react";
import popup from "@/components/popup.module.css";
import { keysText } from "@/components/shortcuts";
import { messages } from "@/messages";
import { fits, grouped, type Command, type Group } from "./commands";
import styles from "./Palette.module.css";
import { useFound } from "./useFound";

const t = messages("palette");

interface Props {
  title: string;
  commands: readonly Command[];
  onOpen: (address: string) => void;
  onClose: () => void;
}

/** Finds pages, runs, hosts, studies and actions by a few letters; Enter opens or runs what is marked. */
export function Palette({ title, commands, onOpen, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const { found, isLoading, failed, note } = useFound(text.trim(), onOpen);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const groups = grouped([...commands.filter((command) => fits(command, text)), ...found]);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const run = (command: Command) => {
    dialog.current?.close(); // gives the focus back, before the command may move it
    command.run();
  };
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={title} onClose={onClose} onClick={(event) => event.target === dialog.current && dialog.current.close()}>
      <Base.Root open inline items={groups} filter={null} value={text} onValueChange={(value, { reason }) => reason !== "item-press" && setText(value)} autoHighlight="always" keepHighlight itemToStringValue={(command: Command) => command.label}>
        <Base.Input className={styles.input} aria-label={title} placeholder={t("placeholder")} autoFocus maxLength={200} />
        <Base.List className={styles.list} aria-label={t("results")}>
          {(group: Group) => (
            <Base.Group key={group.value} items={group.items} className={styles.group}>
              <Base.GroupLabel className={popup.groupLabel}>{group.value}</Base.GroupLabel>
              <Base.Collection>
                {(command: Command) => (
                  <Base.Item key={command.id} value={command} className={popup.item} onClick={() => run(command)}>
                    <span className={popup.text}>
                      <span>{command.label}</span>
                      {command.detail && <span className={popup.detail}>{command.detail}</span>}
                    </span>
                    {command.keys && <kbd className={popup.keys}>{keysText(command.keys)}</kbd>}
                  </Base.Item>
                )}
              </Base.Collection>
            </Base.Group>
          )}
        </Base.List>
      </Base.Root>
      <p className={styles.foot}>
        <span role="status">{isLoading ? t("searching") : failed ? t("searchFailed") : (note ?? (count === 0 ? t("nothingFound") : t("found", { count })))}</span>
        <span className={styles.hint} aria-hidden="true">
          {t("keysHint")}
        </span>
      </p>
    </dialog>
  );
}
