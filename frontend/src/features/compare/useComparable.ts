import { useRunSearch, type FoundRuns } from "@/components/useRunSearch";
import { WITH_RESULT, type Listed } from "./choice";

const ABLE = `state:${WITH_RESULT.join(",")}`;
const LISTED = 30;
const NEAR = 10;

/** Searches runs that can be compared; those of the experiment of a chosen one are found however old they are. Requests nothing until it is on. */
export function useComparable(text: string, chosen: Listed | undefined, isOn = true): FoundRuns {
  const near = useRunSearch(text, NEAR, isOn && chosen ? `${ABLE} experiment:${chosen.experiment_id}` : null);
  const all = useRunSearch(text, LISTED, isOn ? ABLE : null);
  const retry = () => [near, all].filter(({ failed }) => failed).forEach((each) => each.retry());
  const runs = [...new Map([...near.runs, ...all.runs].map((run) => [run.id, run])).values()];
  return { runs, loading: near.loading || all.loading, failed: near.failed || all.failed, note: all.note, retry };
}
