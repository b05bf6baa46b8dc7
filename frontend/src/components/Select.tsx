import styles from "./Select.module.css";

interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A native `<select>`. */
export function Select<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <select className={styles.select} aria-label={label} value={value} onChange={(event) => onChange(event.target.value as T)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
