import type { Preset, PublishedStudy } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { formatDuration } from "@/components/format";
import { messages } from "@/messages";
import type { StudyGroup, StudyQuestion } from "./studies";
import styles from "./StudyCard.module.css";
import { StudyPicture } from "./StudyPicture";

const t = messages("studies");

interface Props {
  group: StudyGroup;
  /** The published study that the presets repeat; Plimsoll's own questions have none. */
  published: PublishedStudy | undefined;
}

/** A study: its published figures as a small picture, and its questions as presets. */
export function StudyCard({ group, published }: Props) {
  const title = published?.title ?? group.title ?? group.questions[0]?.title ?? group.study;
  return (
    <article className={styles.card} aria-label={t("studyName", { study: group.study })}>
      <h2>{title}</h2>
      {published && (
        <p className={styles.source} lang="en">
          {published.citation}
        </p>
      )}
      {published && <StudyPicture study={published} />}
      <div className={styles.questions}>
        {group.questions.map((question) => (
          <OneQuestion key={question.key} question={question} />
        ))}
      </div>
    </article>
  );
}

function OneQuestion({ question: found }: { question: StudyQuestion }) {
  const { question, summary, quick, full } = found;
  const [quickName, fullName] = [t("quickFormOf", { question }), t("fullStudyOf", { question })];
  return (
    <section className={styles.question}>
      <h3>{question}</h3>
      <details className={styles.summary}>
        <summary>{t("whatIsMeasured")}</summary>
        <p>{summary}</p>
      </details>
      <div className={styles.forms}>
        {quick && <Form preset={quick} label={t("quickForm")} name={quickName} />}
        {full && <Form preset={full} label={t("fullStudy")} name={fullName} />}
      </div>
    </section>
  );
}

function Form({ preset, label, name }: { preset: Preset; label: string; name: string }) {
  const duration = formatDuration(preset.size.seconds);
  return (
    <div className={styles.form}>
      <ButtonLink to={`/new?preset=${encodeURIComponent(preset.name)}`}>
        <span aria-hidden="true">{label}</span>
        <span className="visually-hidden">{name}</span>
      </ButtonLink>
      <span className={styles.size}>{t("takesAbout", { duration })}</span>
    </div>
  );
}
