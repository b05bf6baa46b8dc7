import styles from "./Legend.module.css";

export interface LegendItem {
  key: string;
  label: React.ReactNode;
  /** SVG elements within 22 × 14 pixels. */
  sample: React.ReactNode;
}

export function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul className={styles.legend}>
      {items.map((item) => (
        <li key={item.key}>
          <svg width={22} height={14} aria-hidden="true">
            {item.sample}
          </svg>
          {item.label}
        </li>
      ))}
    </ul>
  );
}
