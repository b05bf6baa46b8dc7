/** The presets as they are offered: by study, each question once with its full and its quick form. Pure. */
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
  /** What all of its questions' titles begin with; null where there is one question only. */
  title: string | null;
  questions: Question[];
}

const QUICK_NAME = /-quick$/;
const QUICK_TITLE = /,? \(?quick form\)?$/;

function question(key: string, presets: readonly Preset[]): Question {
  const quick = presets.find((preset) => preset.form === "quick") ?? null;
  const full = presets.find((preset) => preset.form === "full") ?? null;
  const shown = full ?? quick;
  return { key, title: shown?.title.replace(QUICK_TITLE, "") ?? key, summary: shown?.summary ?? "", quick, full };
}

/** "Proxy: by load" and "Proxy: by quota" share "Proxy"; their own titles are then what follows it. */
function headed(study: string, questions: readonly Question[]): StudyGroup {
  const heads = new Set(questions.map(({ title }) => title.split(": ")[0]));
  const [head] = heads;
  const shared = questions.length > 1 && heads.size === 1 && head !== undefined && questions.every(({ title }) => title.length > head.length + 2);
  if (!shared) return { study, title: null, questions: [...questions] };
  return { study, title: head, questions: questions.map((each) => ({ ...each, title: sentenceCase(each.title.slice(head.length + 2)) })) };
}

/** Studies in the order in which their first preset is offered; a preset of no study is a study of its own. */
export function studies(presets: readonly Preset[]): StudyGroup[] {
  const key = (preset: Preset) => preset.name.replace(QUICK_NAME, "");
  return [...Map.groupBy(presets, (preset) => preset.study ?? key(preset))].map(([study, own]) =>
    headed(
      study,
      [...Map.groupBy(own, key)].map(([name, forms]) => question(name, forms)),
    ),
  );
}
