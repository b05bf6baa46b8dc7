import type { Share } from "@/api/generated";
import { CopyButton } from "@/components/CopyButton";
import { formatZonedTime } from "@/components/format";
import { messages } from "@/messages";
import styles from "./ShareDialog.module.css";
import { frameOf, markdownOf } from "./snippets";

const t = messages("runs");

/** A new link with buttons that copy it; a posted one also as Markdown and as a frame. */
export function NewLink({ share, title }: { share: Share; title: string }) {
  const url = share.absolute_url;
  return (
    <>
      <Copied label={t("shareLink")} button={t("copyLink")} text={url} primary />
      {share.kind === "unfurl" && (
        <>
          <Copied label={t("readmePicture")} button={t("copyMarkdown")} text={markdownOf(url, title)} />
          <Copied label={t("frame")} button={t("copyHtml")} text={frameOf(url, title)} />
        </>
      )}
      <p className={styles.once}>{t("linkOnce", { time: formatZonedTime(share.expires_at) })}</p>
    </>
  );
}

function Copied({ label, button, text, primary = false }: { label: string; button: string; text: string; primary?: boolean }) {
  return (
    <div className={styles.link}>
      <label>
        {label}
        <input readOnly value={text} onFocus={(event) => event.target.select()} />
      </label>
      <CopyButton text={text} label={button} kind={primary ? "primary" : "plain"} />
    </div>
  );
}
