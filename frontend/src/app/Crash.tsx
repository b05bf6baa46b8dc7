import { useRouteError } from "react-router";
import { describeError } from "@/api/errors";
import { Button } from "@/components/Button";
import buttonStyles from "@/components/Button.module.css";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import styles from "./Shell.module.css";

const t = messages("common");
/** What browsers say when a file of the page is no longer on the server, as after an update. */
const MISSING_FILE = /dynamically imported module|module script|Loading chunk|preload CSS/i;

/** Shown in place of a page whose code failed or could not be loaded. Drafts are stored in the browser: both ways out keep them. */
export function Crash() {
  const error = useRouteError();
  const isOld = error instanceof Error && MISSING_FILE.test(error.message);
  useTitle(isOld ? t("pageNotLoaded") : t("pageFailed"));
  const { title, detail } = describeError(error);
  return (
    <section className={styles.crash} role="alert">
      <h1>{isOld ? t("pageNotLoaded") : t("pageFailed")}</h1>
      <p>{isOld ? t("pageNotLoadedText") : t("pageFailedText")}</p>
      {!isOld && <pre>{[title, detail].filter(Boolean).join("\n")}</pre>}
      <p className={styles.ways}>
        <Button kind="primary" onClick={() => window.location.reload()}>
          {t("reload")}
        </Button>
        {/* A new document: the state of the failed page is gone. */}
        <a className={buttonStyles.button} data-kind="plain" href="/">
          {t("toHome")}
        </a>
      </p>
    </section>
  );
}

/** The crash page where the layout itself failed. */
export function CrashPage() {
  return (
    <main className={styles.main}>
      <Crash />
    </main>
  );
}
