/** Sessions for tests. */
import type { Session } from "@/api/generated";

const PERMISSIONS: Record<"viewer" | "runner" | "admin", Session["permissions"]> = { viewer: ["read"], runner: ["read", "write", "share"], admin: ["read", "write", "share", "admin"] };

/** The session of an account with this role in its only team. */
export function sessionOf(role: "viewer" | "runner" | "admin", changes: Partial<Session> = {}): Session {
  const team = { id: "tem_1", name: "Kernel team", role, needs_second_factor: false };
  return {
    kind: "session",
    account: { id: "acc_1", name: "Vi", email: null, installation_admin: false },
    team,
    teams: [team],
    permissions: PERMISSIONS[role],
    csrf_token: "c".repeat(32),
    scopes: null,
    ...changes,
  };
}
