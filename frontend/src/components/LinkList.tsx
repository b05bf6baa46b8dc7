import styles from "./LinkList.module.css";

interface ListedLink {
  href: string;
  label: string;
  about: string;
  /** Opened in a new tab instead of downloaded. */
  shown?: boolean;
}

/** Links to files, each with a short description. */
export function LinkList({ links, label }: { links: readonly ListedLink[]; label: string }) {
  return (
    <ul className={styles.links} aria-label={label}>
      {links.map((link) => (
        <li key={link.href}>
          <a href={link.href} {...(link.shown ? { target: "_blank", rel: "noreferrer" } : { download: "" })}>
            {link.label}
          </a>
          <span>{link.about}</span>
        </li>
      ))}
    </ul>
  );
}
