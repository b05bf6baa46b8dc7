import type { Session, SessionTeam, TokenStart } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("common");

export type Scope = TokenStart["scopes"][number];
type Needed = Extract<Session["permissions"][number], "read" | "write" | "share" | "admin">;

/** The scopes of tokens, and what an account must be allowed to give each. */
export const SCOPES: readonly { scope: Scope; needs: Needed; about: string }[] = [
  { scope: "run:read", needs: "read", get about() { return t("scopeRead"); } },
  { scope: "run:write", needs: "write", get about() { return t("scopeWrite"); } },
  { scope: "run:host-network", needs: "write", get about() { return t("scopeHostNetwork"); } },
  { scope: "share:write", needs: "share", get about() { return t("scopeShare"); } },
  { scope: "admin", needs: "admin", get about() { return t("scopeAdmin"); } },
];

/** Returns the lifetimes of tokens to choose from. */
export const lifetimes = (): readonly (readonly [days: string, label: string])[] => [
  ["7", t("days7")],
  ["30", t("days30")],
  ["90", t("days90")],
  ["365", t("aYear")],
];

const PERMISSIONS: Record<SessionTeam["role"], readonly Needed[]> = {
  viewer: ["read"],
  runner: ["read", "write", "share"],
  admin: ["read", "write", "share", "admin"],
};

/** Whether a member with this role may give a token this scope. */
export function roleHas(role: SessionTeam["role"], scope: string): boolean {
  return SCOPES.some((each) => each.scope === scope && PERMISSIONS[role].includes(each.needs));
}
