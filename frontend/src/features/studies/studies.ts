/** Groups presets by study and question; each question has a full and a quick preset. Pure. */
import type { Preset } from "@/api/generated";

export interface StudyQuestion {
  key: string;
  question: string;
  title: string;
  summary: string;
  quick: Preset | null;
  full: Preset | null;
}

export interface StudyGroup {
  study: string;
  /** The common beginning of its questions' titles; null where there is none. */
  title: string | null;
  questions: StudyQuestion[];
}

function questionOf(key: string, presets: readonly Preset[]): StudyQuestion {
  const quick = presets.find((preset) => preset.form === "quick") ?? null;
  const full = presets.find((preset) => preset.form === "full") ?? null;
  const shown = full ?? quick;
  const { question = key, title = key, summary = "" } = shown ?? {};
  return { key, question, title, summary, quick, full };
}

/** Returns a common beginning of the titles: "Proxy" of "Proxy: by load" and "Proxy: by quota". */
function commonTitle(questions: readonly StudyQuestion[]): string | null {
  const heads = new Set(questions.map(({ title }) => title.split(": ")[0]));
  const [head] = heads;
  return questions.length > 1 && heads.size === 1 ? (head ?? null) : null;
}

/** Returns the studies in the order of their presets; one without a study forms its own. */
export function studies(presets: readonly Preset[]): StudyGroup[] {
  const groups = Map.groupBy(presets, (preset) => preset.study ?? preset.full_form);
  return [...groups].map(([study, own]) => {
    const forms = Map.groupBy(own, (preset) => preset.full_form);
    const questions = [...forms].map(([name, both]) => questionOf(name, both));
    return { study, title: commonTitle(questions), questions };
  });
}
