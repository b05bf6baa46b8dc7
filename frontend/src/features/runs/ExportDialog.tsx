import { useState } from "react";
import { exportUrl, imageUrl, IMAGES, type ImageChoice } from "@/api/exports";
import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { LinkList } from "@/components/LinkList";
import { Select } from "@/components/Select";
import { Failure, Loading } from "@/components/Status";
import { Toggle } from "@/components/Toggle";
import { shownTheme } from "@/theme/useTheme";
import { messages } from "@/messages";
import { exportTexts } from "./exportTexts";
import { imageKinds } from "./imageKinds";
import styles from "./RunActions.module.css";
import { useResult } from "./useResult";

const t = messages("runs");

/** Charts of one metric. */
const OF_METRIC: ReadonlySet<ImageChoice["kind"]> = new Set(["dots", "heatmap", "facets"]);

/** The dialog with exports and images of a result. */
export function ExportDialog({ runId, open, onClose }: { runId: string; open: boolean; onClose: () => void }) {
  const result = useResult(runId, { enabled: open, poll: false });
  const [chosen, setMetric] = useState<string | null>(null);
  const [wanted, setKind] = useState<ImageChoice["kind"]>("dots");
  const axes = result.data?.axes ?? [];
  const metric = chosen ?? axes[0]?.metric ?? "";
  const kinds = open && result.data ? imageKinds(result.data) : [];
  const kind = kinds.some(({ value }) => value === wanted) ? wanted : "dots";
  const theme = shownTheme();
  return (
    <Dialog title={t("exportTitle")} open={open} onClose={onClose} actions={<Button onClick={onClose}>{t("close")}</Button>}>
      <LinkList label={t("files")} links={exportTexts().map((each) => ({ ...each, href: exportUrl(runId, each.format), shown: each.format === "html" || each.format === "report" }))} />
      {open && result.isPending && <Loading label={t("chartsLoading")} rows={2} />}
      {result.error && !result.data && <Failure error={result.error} retry={() => void result.refetch()} />}
      {result.data && (
        <div className={styles.image}>
          <span>{t("chartAsImage")}</span>
          {OF_METRIC.has(kind) && axes.length > 0 && <Select label={t("imageMetric")} options={axes.map((axis) => ({ value: axis.metric, label: axis.label }))} value={metric} onChange={setMetric} />}
          <Toggle label={t("imageChart")} options={kinds} value={kind} onChange={setKind} />
        </div>
      )}
      {metric && <LinkList label={t("images")} links={IMAGES.map(({ format }) => ({ href: imageUrl(runId, format, theme, { kind, metric }), label: t("imageFormat", { format: format.toUpperCase() }), about: theme === "dark" ? t("darkTheme") : t("lightTheme"), shown: true }))} />}
    </Dialog>
  );
}
