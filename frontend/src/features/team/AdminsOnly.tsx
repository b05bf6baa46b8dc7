import { Note } from "@/components/Status";
import { useMay } from "@/components/useMay";

/** Its children for administrators of the team; for others, who may do this. */
export function AdminsOnly({ what, children }: { what: string; children: React.ReactNode }) {
  return useMay("admin") ? children : <Note tone="info">Only administrators of the team {what}. Ask one of them; the members are listed on the page of the team.</Note>;
}
