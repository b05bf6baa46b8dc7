import { messages } from "@/messages";
import type { Theme } from "@/theme/useTheme";

const t = messages("common");

/** Returns the themes to choose from. */
export const themes = (): { value: Theme; label: string; detail?: string }[] => [
  { value: "system", label: t("themeAuto"), detail: t("themeAutoTitle") },
  { value: "light", label: t("themeLight") },
  { value: "dark", label: t("themeDark") },
];
