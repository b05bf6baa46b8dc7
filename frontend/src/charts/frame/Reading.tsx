import { useState } from "react";
import { Link } from "react-router";
import { messages } from "@/messages";
import styles from "./Frame.module.css";

const t = messages("charts");

/** How to read a chart, folded, with a link to the help. */
export function Reading({ text, anchor }: { text: string; anchor: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className={styles.reading} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t("howToRead")}</summary>
      <p>
        {text} {open && <Link to={`/help#${anchor}`}>{t("moreInHelp")}</Link>}
      </p>
    </details>
  );
}
