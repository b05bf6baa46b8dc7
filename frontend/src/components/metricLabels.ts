import type { Axis } from "@/api/generated";

/** Returns the name of a metric for readers. */
export function metricLabel({ label }: Pick<Axis, "metric" | "label">): string {
  return label;
}
