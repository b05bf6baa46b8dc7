import { Button } from "@/components/Button";
import { Dialog } from "@/components/Dialog";
import { onDemand } from "@/components/onDemand";
import { Loading } from "@/components/Status";
import type { Run } from "@/api/generated";
import { messages, withMessages } from "@/messages";

const t = messages("runs");
const ExportContent = onDemand(
  async () => (await withMessages(import("./ExportContent"))).ExportContent,
);

interface Props {
  run: Pick<Run, "id" | "state">;
  open: boolean;
  onClose: () => void;
}

/** The dialog with pictures, files and the requests of a result. */
export function ExportDialog({ run, open, onClose }: Props) {
  return (
    <Dialog
      title={t("exportTitle")}
      open={open}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t("close")}</Button>}
    >
      <ExportContent run={run} fallback={<Loading label={t("chartsLoading")} rows={10} />} />
    </Dialog>
  );
}
