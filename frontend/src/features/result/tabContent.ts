/** What the tabs of a result show and change. */
import type { ChartCell, ChartModel } from "@/api/generated";
import type { CellFilter } from "./filter";
import type { ResultLinks, ResultShare } from "./links";
import type { ResultChoice } from "./resultChoice";
import type { Choose } from "./useResultChoice";

export interface TabContent {
  model: ChartModel;
  links: ResultLinks | undefined;
  share: ResultShare | undefined;
  /** All trials by cell and round. */
  trials: React.ReactNode;
  /** The cells that match the filter. */
  matching: readonly ChartCell[];
  filter: CellFilter;
  choice: ResultChoice;
  choose: Choose;
  /** The number of cells in a chart of the overview. */
  limit: number;
}
