import { MenuChoice } from "@/components/Menu";
import { messages, ready } from "@/messages";
import { chooseLanguage, LANGUAGES, useLanguage, type Language } from "@/messages/language";
import { useTheme, type Theme } from "@/theme/useTheme";

const t = messages("common");

export const themes = (): { value: Theme; label: string; detail?: string }[] => [
  { value: "system", label: t("themeAuto"), detail: t("themeAutoTitle") },
  { value: "light", label: t("themeLight") },
  { value: "dark", label: t("themeDark") },
];

/** The items of a menu that choose theme and language. */
export function DisplayChoices() {
  const [theme, choose] = useTheme();
  const language = useLanguage();
  return (
    <>
      <MenuChoice label={t("theme")} options={themes()} value={theme} onChange={choose} />
      <MenuChoice<Language> label={t("language")} options={LANGUAGES.map(({ value, label, tag }) => ({ value, label, lang: tag }))} value={language} onChange={(to) => void chooseLanguage(to, ready)} />
    </>
  );
}
