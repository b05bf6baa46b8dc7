import styles from "./Tip.module.css";

/** The content of a chart's tooltip. */
export function Tip({ title, lines }: { title: React.ReactNode; lines: readonly (readonly [React.ReactNode, React.ReactNode])[] }) {
  return (
    <div className={styles.tip}>
      <div className={styles.title}>{title}</div>
      {lines.map(([name, value], index) => (
        <div key={index} className={styles.line}>
          <span>{name}</span>
          <span>{value}</span>
        </div>
      ))}
    </div>
  );
}
