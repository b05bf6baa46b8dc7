import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { RunList } from "./RunList";
import { useRunFilter } from "./useRunFilter";
import { useRuns } from "./useRuns";

const t = messages("library");

/** The runs of the team. */
export function LibraryPage() {
  useTitle(t("title"));
  const { filter, change } = useRunFilter();
  return <RunList runs={useRuns(filter)} first={undefined} filter={filter} onFilter={change} />;
}
