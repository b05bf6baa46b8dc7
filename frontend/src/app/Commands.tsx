import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { queries } from "@/api/queries";
import { useRegistered } from "@/components/shortcuts";
import type { Command } from "@/features/palette/commands";
import { Palette } from "@/features/palette/Palette";
import { messages, ready } from "@/messages";
import { chooseLanguage, LANGUAGES } from "@/messages/language";
import { useTheme } from "@/theme/useTheme";
import { mainPages, otherPages } from "./navigation";
import { themes } from "./themes";

const t = messages("common");
const p = messages("palette");

/** The command palette with the pages, the actions of the open page, theme and language. */
export function Commands({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [, chooseTheme] = useTheme();
  const { data: session } = useQuery({ ...queries.session(), enabled: false });
  const known = new Set(mainPages().map(({ keys }) => keys));
  const registered = useRegistered().filter(({ keys }) => keys !== "mod+k" && !(keys !== null && known.has(keys)));
  const commands: Command[] = [
    ...headActions(),
    ...registered.map(({ keys, label, run }) => ({ id: `key ${keys} ${label}`, group: p("groupActions"), label, run, ...(keys && { keys }) })),
    ...[...mainPages(), ...otherPages(session?.account.installation_admin ?? false)].map((page) => ({
      id: `page ${page.to}`,
      group: p("groupPages"),
      label: page.label,
      run: () => void navigate(page.to),
      ...("keys" in page && typeof page.keys === "string" && { keys: page.keys }),
    })),
    ...themes().map(({ value, label }) => ({ id: `theme ${value}`, group: p("groupDisplay"), label: p("useTheme", { name: label }), run: () => chooseTheme(value) })),
    ...LANGUAGES.map(({ value, label }) => ({ id: `language ${value}`, group: p("groupDisplay"), label: p("useLanguage", { name: label }), run: () => void chooseLanguage(value, ready) })),
  ];
  return <Palette commands={commands} onClose={onClose} onOpen={(to) => void navigate(to)} title={t("search")} />;
}

/** The buttons and links in the head of the page that is open. */
function headActions(): Command[] {
  const controls = document.querySelectorAll<HTMLElement>("#main [data-page-actions] :is(a[href], button:not(:disabled))");
  return [...controls].flatMap((control, index) => {
    const label = control.getAttribute("aria-label") ?? control.textContent?.trim();
    // The palette gives the focus back when it closes: the control opens its dialog after that.
    return label ? [{ id: `action ${index}`, group: p("groupActions"), label, run: () => control.click() }] : [];
  });
}

export default Commands;
