import type { TeamMemberRole } from "@/api/generated";
import { roleName } from "@/components/roleName";

export type Role = TeamMemberRole["role"];

/** The roles of a team, from the fewest rights to the most. */
export const roles = (): readonly { value: Role; label: string }[] => (["viewer", "runner", "admin"] as const).map((value) => ({ value, label: roleName(value) }));
