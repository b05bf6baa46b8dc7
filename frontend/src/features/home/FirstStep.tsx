import { useQuery } from "@tanstack/react-query";
import type { HomeHost } from "@/api/generated";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { formatDuration } from "@/components/format";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";
import styles from "./home.module.css";

const t = messages("home");

/** In place of results: the one step that leads to the first of them. */
export function FirstStep({ hosts }: { hosts: readonly HomeHost[] }) {
  const presets = useQuery(queries.presets());
  const mayStart = useMay("write");
  const first = presets.data?.find(({ form }) => form === "quick") ?? presets.data?.[0];
  return (
    <section className={styles.first} aria-labelledby="first-step">
      <h2 id="first-step">{t("firstTitle")}</h2>
      <p>{mayStart ? t("firstText") : t("firstTextViewer")}</p>
      {first && (
        <ButtonLink kind="primary" to={`/new?preset=${encodeURIComponent(first.name)}`}>
          {mayStart
            ? t("firstAction", { duration: formatDuration(first.size.seconds) })
            : t("firstActionViewer")}
        </ButtonLink>
      )}
      {hosts.length === 0 && <p>{t("firstNoHost")}</p>}
    </section>
  );
}
