import type { MemberEntry } from "@/api/generated";

/** The roles of a team, from the fewest rights to the most. */
export const ROLES: readonly { value: MemberEntry["role"]; label: string }[] = [
  { value: "viewer", label: "viewer: reads" },
  { value: "runner", label: "runner: starts runs, shares" },
  { value: "admin", label: "admin: also members" },
];
