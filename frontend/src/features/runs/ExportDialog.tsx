import { useState } from "react";
import { EXPORTS, exportUrl, imageUrl, IMAGES, type ImageChoice } from "@/api/exports";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { LinkList } from "@/components/LinkList";
import { Select } from "@/components/Select";
import { Failure, Loading } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import { shownTheme } from "@/theme/useTheme";
import { imageKinds } from "./imageKinds";
import styles from "./RunActions.module.css";
import { useResult } from "./useResult";

/** Charts of one metric. */
const OF_METRIC: ReadonlySet<ImageChoice["kind"]> = new Set(["dots", "heatmap", "facets"]);

/** The dialog with exports and images of a result. */
export function ExportDialog({ runId, open, onClose }: { runId: string; open: boolean; onClose: () => void }) {
  const result = useResult(runId, { enabled: open, poll: false });
  const [chosen, setMetric] = useState<string | null>(null);
  const [wanted, setKind] = useState<ImageChoice["kind"]>("dots");
  const axes = result.data?.axes ?? [];
  const metric = chosen ?? axes[0]?.metric ?? "";
  const kinds = result.data ? imageKinds(result.data) : [];
  const kind = kinds.some(({ value }) => value === wanted) ? wanted : "dots";
  const theme = shownTheme();
  return (
    <Dialog title="Export this result" open={open} onClose={onClose} actions={<Button onClick={onClose}>Close</Button>}>
      <LinkList label="Files" links={EXPORTS.map(({ format, label, about }) => ({ href: exportUrl(runId, format), label, about, shown: format === "html" || format === "report" }))} />
      {open && result.isPending && <Loading label="Loading the available charts" rows={2} />}
      {result.error && !result.data && <Failure error={result.error} retry={() => void result.refetch()} />}
      {result.data && (
        <div className={styles.image}>
          <span>The chart as an image:</span>
          {OF_METRIC.has(kind) && axes.length > 0 && <Select label="Metric of the image" options={axes.map((axis) => ({ value: axis.metric, label: axis.label }))} value={metric} onChange={setMetric} />}
          <Toggle label="Chart of the image" options={kinds} value={kind} onChange={setKind} />
        </div>
      )}
      {metric && <LinkList label="Images" links={IMAGES.map(({ format, label }) => ({ href: imageUrl(runId, format, theme, { kind, metric }), label, about: `${theme} theme, as this page`, shown: true }))} />}
    </Dialog>
  );
}
