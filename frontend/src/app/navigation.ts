/** The main pages: their addresses, names and shortcuts. */
import { messages } from "@/messages";

const t = messages("common");

export interface MainPage {
  to: string;
  label: string;
  keys: string;
}

/** Returns the pages of the main navigation in their order. */
export function mainPages(): MainPage[] {
  return [
    { to: "/", label: t("navHome"), keys: "g h" },
    { to: "/library", label: t("navLibrary"), keys: "g l" },
    { to: "/new", label: t("navNew"), keys: "g n" },
    { to: "/compare", label: t("navCompare"), keys: "g c" },
    { to: "/histories", label: t("navHistory"), keys: "g y" },
    { to: "/hosts", label: t("navHosts"), keys: "g o" },
    { to: "/links", label: t("navLinks"), keys: "g k" },
    { to: "/help", label: t("navHelp"), keys: "g ?" },
  ];
}

/** Returns further pages of the team and the account, for the command palette. */
export function otherPages(isInstallationAdmin: boolean): Omit<MainPage, "keys">[] {
  return [
    { to: "/studies", label: t("navStudies") },
    { to: "/run-groups", label: t("navGroups") },
    { to: "/import", label: t("navImport") },
    { to: "/team", label: t("navTeam") },
    { to: "/team/usage", label: t("navUsage") },
    { to: "/team/webhooks", label: t("navWebhooks") },
    { to: "/team/audit", label: t("navAudit") },
    { to: "/account", label: t("navAccount") },
    { to: "/api-docs", label: t("navApi") },
    ...(isInstallationAdmin ? [{ to: "/administration", label: t("navAdministration") }] : []),
  ];
}
