import type { TeamMemberRole } from "@/api/generated";

export type Role = TeamMemberRole["role"];

/** The roles of a team, from the fewest rights to the most. */
export const ROLES: readonly { value: Role; label: string }[] = [
  { value: "viewer", label: "viewer" },
  { value: "runner", label: "runner" },
  { value: "admin", label: "admin" },
];
