import { useNarrow } from "@/components/useNarrow";
import { messages } from "@/messages";
import styles from "./Contents.module.css";
import { elementId, type SectionId } from "./sections";
import type { Folding } from "./useFolding";
import { useReadingPosition } from "./useReadingPosition";

const t = messages("result");

interface Props {
  sections: readonly { id: SectionId; title: string }[];
  folding: Folding;
  /** Whether the fragment of the address may name a section. */
  isAddressed: boolean;
  /** Called with the section to go to. */
  onGo: (section: SectionId) => void;
}

/** Below this width the contents are folded, above the result. */
const BESIDE = 1100;

/** The contents of a result, which mark the section that is being read. */
export function Contents({ sections, folding, isAddressed, onGo }: Props) {
  const narrow = useNarrow(BESIDE);
  const current = useReadingPosition(sections.map(({ id }) => id));
  const ids = sections.map(({ id }) => id);
  const someFolded = ids.some((id) => !folding.isOpen(id));
  const list = (
    <>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              {...(isAddressed ? { href: `#${elementId(id)}` } : { href: "", role: "button" })}
              aria-current={id === current ? "location" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                event.preventDefault();
                event.currentTarget.closest("details")?.removeAttribute("open");
                onGo(id);
              }}
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
      <button type="button" className={styles.all} onClick={() => folding.set(ids, someFolded)}>
        {someFolded ? t("openAll") : t("foldAll")}
      </button>
    </>
  );
  if (!narrow)
    return (
      <nav className={styles.beside} aria-label={t("contents")}>
        <p className={styles.title} aria-hidden="true">{t("contents")}</p>
        {list}
      </nav>
    );
  const title = sections.find(({ id }) => id === current)?.title ?? "";
  return (
    <nav className={styles.above} aria-label={t("contents")}>
      <details>
        <summary>
          {t("contents")} <span>{title}</span>
        </summary>
        {list}
      </details>
    </nav>
  );
}
