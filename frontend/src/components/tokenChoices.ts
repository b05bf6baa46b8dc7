import type { Session, SessionTeam, TokenStart } from "@/api/generated";

export type Scope = TokenStart["scopes"][number];
type Needed = Extract<Session["permissions"][number], "read" | "write" | "share" | "admin">;

/** The scopes of tokens, and what an account must be allowed to give each. */
export const SCOPES: readonly { scope: Scope; needs: Needed; about: string }[] = [
  { scope: "run:read", needs: "read", about: "reads experiments, runs and results" },
  { scope: "run:write", needs: "write", about: "starts, cancels, imports and deletes" },
  { scope: "run:host-network", needs: "write", about: "runs plans that use the host's network or its own Docker daemon" },
  { scope: "share:write", needs: "share", about: "makes and revokes share links" },
  { scope: "admin", needs: "admin", about: "members, webhooks, retention, audit log" },
];

const LIFETIMES: readonly (readonly [days: string, label: string])[] = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
];

/** Returns the lifetimes to choose from; only administrators make tokens that never expire. */
export function lifetimesFor(isAdmin: boolean): readonly (readonly [days: string, label: string])[] {
  return isAdmin ? [...LIFETIMES, ["", "never expires"]] : LIFETIMES;
}

const PERMISSIONS: Record<SessionTeam["role"], readonly Needed[]> = {
  viewer: ["read"],
  runner: ["read", "write", "share"],
  admin: ["read", "write", "share", "admin"],
};

/** Whether a member with this role may give a token this scope. */
export function roleHas(role: SessionTeam["role"], scope: string): boolean {
  return SCOPES.some((each) => each.scope === scope && PERMISSIONS[role].includes(each.needs));
}
