/** Groups presets by study and question; each question has a full and a quick preset. Pure. */
import type { Preset } from "@/api/generated";
import { sentenceCase } from "@/components/format";

export interface Question {
  key: string;
  title: string;
  summary: string;
  quick: Preset | null;
  full: Preset | null;
}

export interface StudyGroup {
  study: string;
  /** The common beginning of its questions' titles; null where there is none. */
  title: string | null;
  questions: Question[];
}

function question(key: string, presets: readonly Preset[]): Question {
  const quick = presets.find((preset) => preset.form === "quick") ?? null;
  const full = presets.find((preset) => preset.form === "full") ?? null;
  const shown = full ?? quick;
  return { key, title: shown?.title ?? key, summary: shown?.summary ?? "", quick, full };
}

/** Splits a common beginning off the titles: "Proxy: by load" and "Proxy: by quota" share "Proxy". */
function withCommonTitle(study: string, questions: readonly Question[]): StudyGroup {
  const heads = new Set(questions.map(({ title }) => title.split(": ")[0]));
  const [head] = heads;
  const shared = questions.length > 1 && heads.size === 1 && head !== undefined && questions.every(({ title }) => title.length > head.length + 2);
  if (!shared) return { study, title: null, questions: [...questions] };
  return { study, title: head, questions: questions.map((each) => ({ ...each, title: sentenceCase(each.title.slice(head.length + 2)) })) };
}

/** Returns the studies in the order of their first preset; a preset without a study forms its own. */
export function studies(presets: readonly Preset[]): StudyGroup[] {
  return [...Map.groupBy(presets, (preset) => preset.study ?? preset.full_form)].map(([study, own]) =>
    withCommonTitle(
      study,
      [...Map.groupBy(own, (preset) => preset.full_form)].map(([name, forms]) => question(name, forms)),
    ),
  );
}
