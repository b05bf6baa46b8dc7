/** Parts of the result that are rendered again only when what they show has changed. */
import { memo } from "react";
import type { ChartModel } from "@/api/generated";

/**
 * Returns the component memoised by these fields of the model and by its other properties.
 * A new answer of the server shares what is equal with the one before, so that unchanged fields are the same objects.
 */
export function memoFields<K extends keyof ChartModel, Rest extends object = object>(fields: readonly K[], component: (props: { model: Pick<ChartModel, K> } & Rest) => React.ReactNode) {
  return memo(component, (before, after) => fields.every((field) => before.model[field] === after.model[field]) && sameRest(before, after));
}

function sameRest(before: object, after: object): boolean {
  const [a, b] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  names.delete("model");
  return [...names].every((name) => a?.[name] === b?.[name]);
}
