import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { getUsage } from "@/api/generated";
import { formatBytes } from "@/components/format";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

messages("experiments");

/** Warns before a run is planned that the team's storage is nearly or wholly used; else nothing. */
export function StorageNote() {
  const usage = useQuery({ queryKey: ["usage"], queryFn: async () => (await getUsage()).data });
  const stored = usage.data?.find(({ quota }) => quota === "stored_bytes");
  if (!stored || stored.level === "ok" || stored.used === null) return null;
  return (
    <Note tone={stored.level === "reached" ? "bad" : "warn"}>
      <RichText
        namespace="experiments"
        id={stored.level === "reached" ? "storageReached" : "storageNear"}
        values={{ used: formatBytes(stored.used), limit: formatBytes(stored.limit) }}
        parts={{ usage: <Link to="/team/usage" /> }}
      />
    </Note>
  );
}
