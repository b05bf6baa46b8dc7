import { MenuChoice } from "@/components/Menu";
import { messages, ready } from "@/messages";
import { chooseLanguage, LANGUAGES, useLanguage, type Language } from "@/messages/language";
import { useTheme } from "@/theme/useTheme";
import { themes } from "./themes";

const t = messages("common");

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

export default DisplayChoices;
