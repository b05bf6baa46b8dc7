import styles from "./Facts.module.css";

/** A list of names and values, in as many columns as fit. */
export function Facts({ facts }: { facts: readonly (readonly [React.ReactNode, React.ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value], index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
