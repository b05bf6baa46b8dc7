import type { MemberEntry } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("common");

/** Returns the name of a role in a team. */
export function roleName(role: MemberEntry["role"]): string {
  return { viewer: t("memberViewer"), runner: t("memberRunner"), admin: t("memberAdmin") }[role];
}
