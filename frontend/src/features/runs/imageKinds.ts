/** The charts of a result that are available as images, as the page shows them. Pure. */
import type { ChartModel, ResultPanels } from "@/api/generated";
import type { ImageChoice } from "@/api/exports";
import { hasCost } from "@/charts/hopCostLayout";
import { variedFactors } from "@/charts/pivot/pivotChoice";
import { jointRows } from "@/features/result/jointImage";
import { messages } from "@/messages";

const t = messages("runs");

type Kind = ImageChoice["kind"];

interface ImageKind {
  value: Kind;
  label: string;
}

/** What has to be requested before it is known whether there is anything to draw. */
interface Requested {
  panels?: ResultPanels | undefined;
  /** Whether the first cell with trials has figures over time. */
  hasSeries?: boolean;
}

/** Returns the charts that this result has: imported runs have no CPU, and few runs have path ladders or knees. */
export function imageKinds(
  model: Pick<ChartModel, "cells" | "ladders" | "knees">,
  { panels, hasSeries = false }: Requested = {},
): ImageKind[] {
  const hasPivot = variedFactors(model).length > 1;
  const hasCpu = model.cells.some(({ cpu }) => cpu.length > 0);
  const kinds: (ImageKind & { available: boolean })[] = [
    { value: "joint", label: t(hasCpu ? "kindJoint" : "kindRates"), available: true },
    { value: "sweep", label: t("kindSweep"), available: !!panels?.sweeps.length },
    { value: "roles", label: t("kindRoles"), available: hasCpu },
    { value: "dots", label: t("kindDots"), available: true },
    { value: "trade_off", label: t("kindTradeOff"), available: !!panels?.trade_offs.length },
    { value: "latency", label: t("kindLatency"), available: !!panels?.latencies.length },
    { value: "ladder", label: t("kindLadder"), available: model.ladders.some(hasCost) },
    { value: "knee", label: t("kindKnee"), available: model.knees.length > 0 },
    { value: "series", label: t("kindSeries"), available: hasSeries },
    { value: "heatmap", label: t("kindHeatmap"), available: hasPivot },
    { value: "facets", label: t("kindFacets"), available: hasPivot },
  ];
  return kinds.flatMap(({ available, ...kind }) => (available ? kind : []));
}

/** A choice between several pictures of one kind. */
interface ImageDetail {
  /** The parameter of the image that is chosen. */
  name: "metric" | "unit" | "ladder" | "cells";
  label: string;
  options: { value: string; label: string }[];
}

type Described = Pick<ChartModel, "cells" | "ladders" | "axes">;

/** The metric below the rate of a sweep, where a proxy took CPU. */
const PROXY = "proxy_cpu_cores";

/** Returns what can be chosen for a kind, the default first; null where there is nothing to choose. */
export function imageDetail(
  model: Described,
  kind: Kind,
  { panels }: Requested = {},
): ImageDetail | null {
  const detail = detailOf(model, kind, panels);
  return detail && detail.options.length > 1 ? detail : null;
}

function detailOf(
  { cells, ladders, axes }: Described,
  kind: Kind,
  panels: ResultPanels | undefined,
): ImageDetail | null {
  switch (kind) {
    case "joint":
    case "dots":
    case "heatmap":
    case "facets":
      return { name: "metric", label: t("imageMetric"), options: axes.map(optionOf) };
    case "sweep": {
      const known = new Map(
        panels?.sweeps.flatMap((sweep) => sweep.axes.slice(1)).map((axis) => [axis.metric, axis]),
      );
      const proxy = known.get(PROXY);
      const second = new Set([...(proxy ? [proxy] : []), ...known.values()]);
      return { name: "metric", label: t("imageSecond"), options: [...second].map(optionOf) };
    }
    case "roles":
      return {
        name: "unit",
        label: t("imageUnit"),
        options: [
          { value: "cores", label: t("unitCores") },
          { value: "us_per_txn", label: t("unitCost") },
        ],
      };
    case "ladder": {
      const own = ladders.filter(hasCost);
      const options = own.map((each) => ({ value: each.base_id, label: each.title }));
      return {
        name: "ladder",
        label: t("imageLadder"),
        options: [{ value: "", label: t("allLadders") }, ...(own.length > 1 ? options : [])],
      };
    }
    case "series":
      return {
        name: "cells",
        label: t("imageCell"),
        options: cells
          .filter(({ rounds }) => rounds.length > 0)
          .map(({ id, label }) => ({ value: id, label })),
      };
    case "trade_off":
    case "latency":
    case "knee":
      return null;
  }
}

function optionOf({ metric, label }: ChartModel["axes"][number]) {
  return { value: metric, label };
}

/** Returns the picture of one kind; of throughput and CPU it has the rows that the page shows at first. */
export function imageChoice(
  model: ChartModel,
  kind: Kind,
  detail: ImageDetail | null,
  chosen: string | null,
): ImageChoice {
  const option = detail?.options.find(({ value }) => value === chosen) ?? detail?.options[0];
  const choice = { kind, ...(option?.value && { [detail!.name]: option.value }) };
  return kind === "joint" ? { ...choice, ...jointRows(model) } : choice;
}
