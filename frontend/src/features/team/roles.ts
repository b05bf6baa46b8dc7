import type { MemberEntry } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("team");

/** The roles of a team, from the fewest rights to the most. */
export const roles = (): readonly { value: MemberEntry["role"]; label: string }[] => [
  { value: "viewer", label: t("roleViewer") },
  { value: "runner", label: t("roleRunner") },
  { value: "admin", label: t("roleAdmin") },
];
