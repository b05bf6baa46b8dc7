import type { Share } from "@/api/generated";
import { CopyButton } from "@/components/CopyButton";
import { formatTime } from "@/components/format";
import styles from "./ShareDialog.module.css";
import { frameOf, markdownOf } from "./snippets";

/** A new link with buttons that copy it; a posted one also as Markdown and as a frame. */
export function NewLink({ share, title }: { share: Share; title: string }) {
  const url = share.absolute_url;
  return (
    <>
      <Copied label="Share link" button="Copy link" text={url} primary />
      {share.kind === "unfurl" && (
        <>
          <Copied label="Picture for a README, in Markdown" button="Copy Markdown" text={markdownOf(url, title)} />
          <Copied label="Frame for a page of another site" button="Copy HTML" text={frameOf(url, title)} />
        </>
      )}
      <p className={styles.once}>The link is shown only once. It works until {formatTime(share.expires_at)}.</p>
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
