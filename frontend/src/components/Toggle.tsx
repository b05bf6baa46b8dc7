import styles from "./Toggle.module.css";

interface Props<T extends string> {
  label: string;
  options: readonly { value: T; label: React.ReactNode; title?: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A choice of one of a few options, as joined buttons. */
export function Toggle<T extends string>({ label, options, value, onChange }: Props<T>) {
  return (
    <div className={styles.toggle} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          title={option.title}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
