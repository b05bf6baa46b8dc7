import styles from "./PathName.module.css";

/** A path's title followed by its name; the name alone where the title is not known. */
export function PathName({ name, title }: { name: string; title: string | undefined }) {
  if (title === undefined || title === name) return name;
  return (
    <>
      {title} <code className={styles.name}>{name}</code>
    </>
  );
}
