import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { getUsage } from "@/api/generated";
import { formatBytes } from "@/components/format";
import { Note } from "@/components/Status";

/** Warns before a run is planned that the team's storage is nearly or wholly used; else nothing. */
export function StorageNote() {
  const usage = useQuery({ queryKey: ["usage"], queryFn: async () => (await getUsage()).data });
  const stored = usage.data?.find(({ quota }) => quota === "stored_bytes");
  if (!stored || stored.level === "ok" || stored.used === null) return null;
  return (
    <Note tone={stored.level === "reached" ? "bad" : "warn"}>
      The team stores {formatBytes(stored.used)} of {formatBytes(stored.limit)}.{" "}
      {stored.level === "reached" ? "No run can be started until something is deleted" : "At the limit no run can be started"}: <Link to="/team/usage">usage and largest runs</Link>.
    </Note>
  );
}
