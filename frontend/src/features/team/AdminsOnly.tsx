import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";
import { messages } from "@/messages";

const t = messages("team");

/** Its children for administrators of the team; for others, who may do this. */
export function AdminsOnly({ what, children }: { what: string; children: React.ReactNode }) {
  return useMay("admin") ? children : <Note tone="info">{t("onlyAdminsMay", { what })}</Note>;
}
