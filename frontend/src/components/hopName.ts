import { hopLabel } from "./format";
import { catalogName } from "./serverText";

/** Returns the name of a hop in the page's language. */
export function hopName(hop: string): string {
  const label = hopLabel(hop);
  return hop === "wire" ? label : catalogName("hop", hop, label);
}
