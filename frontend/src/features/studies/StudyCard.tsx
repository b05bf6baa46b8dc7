import { draftOf } from "@/api/draft";
import type { Preset } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { formatDuration, formatNumber } from "@/components/format";
import { messages } from "@/messages";
import type { Question, StudyGroup } from "./studies";
import styles from "./StudyCard.module.css";

const t = messages("home");

/** A published study: its questions as quick and full presets, with their size and duration. */
export function StudyCard({ group, primary }: { group: StudyGroup; primary: Preset | undefined }) {
  return (
    <article className={styles.card} data-wide={group.questions.length > 1 || undefined} aria-label={t("studyName", { study: group.study })}>
      <p className={styles.tag}>{group.study}</p>
      {group.title && <h3>{group.title}</h3>}
      <div className={styles.questions}>
        {group.questions.map((question) => (
          <OneQuestion key={question.key} question={question} heading={group.title ? "h4" : "h3"} primary={primary} />
        ))}
      </div>
    </article>
  );
}

interface QuestionProps {
  question: Question;
  heading: "h3" | "h4";
  primary: Preset | undefined;
}

function OneQuestion({ question: { title, summary, quick, full }, heading: Heading, primary }: QuestionProps) {
  return (
    <section className={styles.question}>
      <Heading>{title}</Heading>
      <p className={styles.summary}>{summary}</p>
      <div className={styles.forms}>
        {quick && <Form preset={quick} label={t("quickForm")} name={t("quickFormOf", { title })} primary={quick === primary} />}
        {full && <Form preset={full} label={t("fullStudy")} name={t("fullStudyOf", { title })} primary={full === primary} />}
      </div>
    </section>
  );
}

function Form({ preset, label, name, primary }: { preset: Preset; label: string; name: string; primary: boolean }) {
  const { rounds } = draftOf(preset.definition);
  return (
    <div className={styles.form}>
      <ButtonLink to={`/new?preset=${encodeURIComponent(preset.name)}`} kind={primary ? "primary" : "plain"}>
        <span aria-hidden="true">{label}</span>
        <span className="visually-hidden">{name}</span>
      </ButtonLink>
      <p className={styles.size}>
        {t("cellsTimesRounds", { cells: t("cells", { count: preset.size.cells, number: formatNumber(preset.size.cells) }), rounds: t("rounds", { count: rounds, number: formatNumber(rounds) }) })}
        <span>{t("takesAbout", { duration: formatDuration(preset.size.seconds) })}</span>
      </p>
    </div>
  );
}
