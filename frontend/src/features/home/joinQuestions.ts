/** Joins the questions of the presets with what is known of them on a host. Pure. */
import type { Home, HomeQuestion, Preset } from "@/api/generated";

export interface Question {
  name: string;
  text: string;
  /** The preset that *Run* starts: the quick form, where there is one. */
  preset: Preset;
  /** What is known of it; undefined until it is read. */
  known: HomeQuestion | undefined;
}

/** Returns the questions in the order of their presets. */
export function questionsOf(presets: readonly Preset[], home: Home | undefined): Question[] {
  const known = new Map(home?.questions?.map((each) => [each.preset, each]));
  return [...Map.groupBy(presets, ({ full_form }) => full_form)].flatMap(([name, forms]) => {
    const preset = forms.find(({ form }) => form === "quick") ?? forms[0];
    return preset ? [{ name, text: preset.question, preset, known: known.get(name) }] : [];
  });
}
