import { lazy, Suspense } from "react";
import { withMessages } from "@/messages";
import styles from "./MarkdownText.module.css";

// Where the parser cannot be loaded, the text stays as written.
const MarkdownBody = lazy(() => withMessages(import("./MarkdownBody")).catch(() => ({ default: AsWritten })));

/** Markdown of a person, without raw HTML and images. Its parser is loaded on demand; until then the text is shown as written. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <div className={styles.text}>
      <Suspense fallback={<AsWritten text={text} />}>
        <MarkdownBody text={text} />
      </Suspense>
    </div>
  );
}

function AsWritten({ text }: { text: string }) {
  return <pre>{text}</pre>;
}
