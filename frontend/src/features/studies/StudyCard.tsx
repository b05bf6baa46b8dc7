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
  // The only question of a study that nobody published says what its title would.
  const [only] = group.questions;
  const isTitled = published !== undefined || group.questions.length > 1;
  const title = isTitled
    ? (published?.title ?? group.title ?? only?.title ?? group.study)
    : (only?.question ?? group.study);
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
          <OneQuestion key={question.key} question={question} isTitled={isTitled} />
        ))}
      </div>
    </article>
  );
}

interface QuestionProps {
  question: StudyQuestion;
  /** Whether the card has a title of its own above the question. */
  isTitled: boolean;
}

function OneQuestion({ question: found, isTitled }: QuestionProps) {
  const { question, summary, quick, full } = found;
  const [quickName, fullName] = [t("quickFormOf", { question }), t("fullStudyOf", { question })];
  return (
    <section className={styles.question}>
      {isTitled && <h3>{question}</h3>}
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
  const duration = formatDuration(roughly(preset.size.seconds));
  return (
    <div className={styles.form}>
      <ButtonLink to={`/new?preset=${encodeURIComponent(preset.name)}`} label={name}>
        {label}
      </ButtonLink>
      <span className={styles.size}>{t("takesAbout", { duration })}</span>
    </div>
  );
}

/** An estimate in whole minutes, from an hour on in tenths of an hour. */
function roughly(seconds: number): number {
  const unit = seconds < 90 ? 1 : seconds < 3600 ? 60 : 360;
  return Math.round(seconds / unit) * unit;
}
