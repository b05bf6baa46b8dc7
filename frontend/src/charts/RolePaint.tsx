import { ROLES, roleColor, type RoleName } from "@/theme/palette";
import { Legend, type LegendItem } from "./Legend";
import { roleName } from "./roleNames";

/** The fill of a role. Kernel is hatched, unattributed time dotted and steal striped, so that roles differ by more than colour. */
export function rolePaint(role: RoleName, id: string): string {
  const pattern = ROLES.find((known) => known.role === role)?.pattern;
  return pattern ? `url(#${id}-${pattern})` : roleColor(role);
}

export function RolePatterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={`${id}-hatch`} width={6} height={6} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width={6} height={6} fill="color-mix(in srgb, var(--role-kernel) 30%, transparent)" />
        <rect width={2.4} height={6} fill="var(--role-kernel)" />
      </pattern>
      <pattern id={`${id}-dots`} width={5} height={5} patternUnits="userSpaceOnUse">
        <rect width={5} height={5} fill="color-mix(in srgb, var(--role-unattributed) 22%, transparent)" />
        <circle cx={2.5} cy={2.5} r={1.05} fill="var(--role-unattributed)" />
      </pattern>
      <pattern id={`${id}-stripes`} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
        <rect width={5} height={5} fill="color-mix(in srgb, var(--role-steal) 18%, transparent)" />
        <rect width={1.6} height={5} fill="var(--role-steal)" />
      </pattern>
    </defs>
  );
}

/** The roles as items of a legend. */
export function roleItems(roles: readonly RoleName[]): LegendItem[] {
  const id = "legend";
  return roles.map((role) => ({
    key: role,
    label: roleName(role),
    sample: (
      <>
        <RolePatterns id={`${id}-${role}`} />
        <rect x={4} y={1} width={14} height={12} rx={2} fill={rolePaint(role, `${id}-${role}`)} stroke={role === "idle" ? "var(--line-strong)" : "none"} />
      </>
    ),
  }));
}

export function RoleLegend({ roles }: { roles: readonly RoleName[] }) {
  return <Legend items={roleItems(roles)} />;
}
