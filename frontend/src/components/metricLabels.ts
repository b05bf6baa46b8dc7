import type { Axis } from "@/api/generated";
import { catalogName } from "./serverText";

/** Returns the name of a metric in the page's language. */
export function metricLabel({ metric, label }: Pick<Axis, "metric" | "label">): string {
  return catalogName("metric", metric, label);
}
