import { useQuery } from "@tanstack/react-query";
import type { Home } from "@/api/generated";
import { queries } from "@/api/queries";
import { ButtonLink } from "@/components/Button";
import { QueryStatus } from "@/components/Status";
import { messages } from "@/messages";
import styles from "./Questions.module.css";
import { QuestionCard } from "./QuestionCard";
import { questionsOf } from "./joinQuestions";

const t = messages("home");

interface Props {
  home: Home | undefined;
  now: number;
}

/** A card for each question, with its last answer on the chosen host. */
export function Questions({ home, now }: Props) {
  const presets = useQuery(queries.presets());
  return (
    <section aria-labelledby="questions" className={styles.section}>
      <header className={styles.head}>
        <h2 id="questions">{t("questions")}</h2>
        <ButtonLink to="/studies" kind="ghost">{t("allStudies")}</ButtonLink>
      </header>
      {presets.isError && <QueryStatus query={presets} label={t("loadingQuestions")} />}
      {presets.data && (
        <ul className={styles.cards}>
          {questionsOf(presets.data, home).map((question) => (
            <QuestionCard
              key={question.name}
              question={question}
              host={home?.host ?? null}
              now={now}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
