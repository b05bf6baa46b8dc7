import { messages } from "@/messages";
import { hopName } from "./hopName";
import styles from "./Hops.module.css";

const t = messages("common");

/** Hops that copy the traffic in user space. */
const PROXIES: ReadonlySet<string> = new Set(["docker-proxy", "nginx", "haproxy", "socat"]);

/** The hops of a path, in order. */
export function Hops({ hops }: { hops: readonly string[] }) {
  return (
    <ol className={styles.hops} aria-label={t("hops")}>
      {hops.map((hop, index) => (
        <li key={`${index} ${hop}`} data-proxy={PROXIES.has(hop) || undefined}>
          {hopName(hop)}
        </li>
      ))}
    </ol>
  );
}
