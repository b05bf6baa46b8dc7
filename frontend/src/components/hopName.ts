import { hopLabel } from "./format";
import { catalogName } from "./serverText";

/** Returns the name of a hop in the page's language. */
export function hopName(hop: string): string {
  return catalogName("hop", hop, hopLabel(hop));
}
