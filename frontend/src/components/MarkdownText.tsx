import { lazy, Suspense } from "react";
import { withMessages } from "@/messages";
import styles from "./MarkdownText.module.css";

const MarkdownBody = lazy(() => withMessages(import("./MarkdownBody")));

/** Markdown of a person, without raw HTML and images. Its parser is loaded on demand; until then the text is shown as written. */
export function MarkdownText({ text }: { text: string }) {
  return (
    <div className={styles.text}>
      <Suspense fallback={<pre>{text}</pre>}>
        <MarkdownBody text={text} />
      </Suspense>
    </div>
  );
}
