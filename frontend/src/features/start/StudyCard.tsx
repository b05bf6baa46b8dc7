import { draftOf } from "@/api/draft";
import type { Preset } from "@/api/generated";
import { ButtonLink } from "@/components/Button";
import { formatDuration, plural } from "@/components/format";
import type { Question, StudyGroup } from "./studies";
import styles from "./StudyCard.module.css";

/** A published study: its questions as quick and full presets, with their size and duration. */
export function StudyCard({ group, primary }: { group: StudyGroup; primary: Preset | undefined }) {
  return (
    <article className={styles.card} data-wide={group.questions.length > 1 || undefined} aria-label={`Study ${group.study}`}>
      <p className={styles.tag}>{group.study}</p>
      {group.title && <h2>{group.title}</h2>}
      <div className={styles.questions}>
        {group.questions.map((question) => (
          <OneQuestion key={question.key} question={question} heading={group.title ? "h3" : "h2"} primary={primary} />
        ))}
      </div>
    </article>
  );
}

interface QuestionProps {
  question: Question;
  heading: "h2" | "h3";
  primary: Preset | undefined;
}

function OneQuestion({ question: { title, summary, quick, full }, heading: Heading, primary }: QuestionProps) {
  return (
    <section className={styles.question}>
      <Heading>{title}</Heading>
      <p className={styles.summary}>{summary}</p>
      <div className={styles.forms}>
        {quick && <Form preset={quick} label="Quick form" title={title} primary={quick === primary} />}
        {full && <Form preset={full} label="Full study" title={title} primary={full === primary} />}
      </div>
    </section>
  );
}

function Form({ preset, label, title, primary }: { preset: Preset; label: string; title: string; primary: boolean }) {
  return (
    <div className={styles.form}>
      <ButtonLink to={`/new?preset=${encodeURIComponent(preset.name)}`} kind={primary ? "primary" : "plain"}>
        {label}
        <span className="visually-hidden">: {title}</span>
      </ButtonLink>
      <p className={styles.size}>
        {plural(preset.size.cells, "cell")} × {plural(draftOf(preset.definition).rounds, "round")}
        <span>takes about {formatDuration(preset.size.seconds)}</span>
      </p>
    </div>
  );
}
