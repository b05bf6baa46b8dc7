import styles from "./LinkList.module.css";

interface ListedLink {
  href: string;
  label: string;
  about: string;
  /** Opened beside this page in place of being saved. */
  shown?: boolean;
}

/** Links to files, each with a word about it. */
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
