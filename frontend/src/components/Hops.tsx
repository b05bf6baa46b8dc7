import styles from "./Hops.module.css";

/** The hops of a path in the order in which they handle the bytes. */
export function Hops({ hops }: { hops: readonly string[] }) {
  return (
    <ol className={styles.hops} aria-label="hops">
      {hops.map((hop, index) => (
        <li key={`${index} ${hop}`} data-proxy={hop === "docker-proxy" || undefined}>
          {hop}
        </li>
      ))}
    </ol>
  );
}
