import { Link } from "react-router";
import styles from "./Button.module.css";

type Kind = "primary" | "plain" | "danger" | "ghost";

interface ButtonProps extends React.ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  busy?: boolean;
}

export function Button({ kind = "plain", busy = false, disabled, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-kind={kind}
      disabled={disabled || busy}
      aria-busy={busy}
    >
      {busy && <span className={styles.spinner} aria-hidden="true" />}
      {children}
    </button>
  );
}

/** A link to another page, styled as a button. */
export function ButtonLink({
  kind = "plain",
  to,
  label,
  children,
}: {
  kind?: Kind;
  to: string;
  label?: string;
  children: React.ReactNode;
}) {
  return (
    <Link to={to} className={styles.button} data-kind={kind} aria-label={label}>
      {children}
    </Link>
  );
}

/** A link to a file of the server that the browser shows, in a new tab, styled as a button. */
export function FileLink({
  kind = "ghost",
  href,
  children,
}: {
  kind?: Kind;
  href: string;
  children: React.ReactNode;
}) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={styles.button} data-kind={kind}>
      {children}
    </a>
  );
}

/** A link to a file of the server that the browser saves, styled as a button. */
export function DownloadLink({
  kind = "plain",
  href,
  children,
}: {
  kind?: Kind;
  href: string;
  children: React.ReactNode;
}) {
  return (
    <a href={href} download="" className={styles.button} data-kind={kind}>
      {children}
    </a>
  );
}
