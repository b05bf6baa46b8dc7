/** Colours and shapes by index: ChartModel's `color` and `shape`; both wrap around. */

const SERIES_COLORS = [0, 1, 2, 3, 4, 5, 6].map((index) => `var(--series-${index})`);

const SHAPES = ["circle", "square", "triangle", "diamond", "cross"] as const;
export type Shape = (typeof SHAPES)[number];

export function seriesColor(index: number): string {
  return SERIES_COLORS[index % SERIES_COLORS.length] ?? "var(--series-6)";
}

export function seriesShape(index: number): Shape {
  return SHAPES[index % SHAPES.length] ?? "circle";
}

/** The CPU roles with their labels, in stacking order. */
export const ROLES = [
  { role: "client", label: "client", pattern: null },
  { role: "server", label: "server", pattern: null },
  { role: "proxy", label: "proxy", pattern: null },
  { role: "kernel", label: "kernel", pattern: "hatch" },
  { role: "other", label: "other", pattern: null },
  { role: "unattributed", label: "unattributed", pattern: "dots" },
  { role: "steal", label: "steal", pattern: "stripes" },
  { role: "idle", label: "idle", pattern: null },
] as const;

export type RoleName = (typeof ROLES)[number]["role"];

/** Time that nothing on this host used: idle, and steal by the hypervisor. It has no cost per transaction. */
export const UNUSED: ReadonlySet<string> = new Set<RoleName>(["steal", "idle"]);

export function roleColor(role: string): string {
  return `var(--role-${ROLES.some((known) => known.role === role) ? role : "other"})`;
}
