import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { formatZonedTime } from "@/components/format";
import { useRunSearch } from "@/components/useRunSearch";
import { messages } from "@/messages";
import { fits, type Command } from "./commands";

const t = messages("palette");
/** Runs that are listed before anything is typed, and those that a search lists. */
const RECENT = 6;
const LISTED = 12;

interface Found {
  found: Command[];
  isLoading: boolean;
  failed: boolean;
  /** What a person should know about the runs that were found. */
  note: string | null;
}

/** Finds runs, hosts and studies by a text; without one, gives the newest runs. The server searches the runs. */
export function useFound(text: string, open: (address: string) => void): Found {
  const isSearch = text !== "";
  const runs = useRunSearch(text, isSearch ? LISTED : RECENT);
  const hosts = useQuery({ ...queries.hosts(), enabled: isSearch });
  const presets = useQuery({ ...queries.presets(), enabled: isSearch });
  const others: Command[] = [
    ...(hosts.data ?? []).map((host) => ({ id: `host ${host.name}`, group: t("groupHosts"), label: host.name, run: () => open(`/hosts/${encodeURIComponent(host.name)}`) })),
    ...(presets.data ?? []).map((preset) => ({ id: `study ${preset.name}`, group: t("groupStudies"), label: preset.title, run: () => open(`/new?preset=${encodeURIComponent(preset.name)}`) })),
  ];
  const found: Command[] = [
    ...runs.runs.map((run) => ({ id: run.id, group: t("groupRuns"), label: run.title, detail: `${run.host}, ${formatZonedTime(run.created_at)}`, run: () => open(`/runs/${run.id}`) })),
    ...(isSearch ? others.filter((command) => fits(command, text)).slice(0, LISTED) : []),
  ];
  return { found, isLoading: runs.loading || hosts.isLoading || presets.isLoading, failed: runs.failed || hosts.isError || presets.isError, note: isSearch ? runs.note : null };
}
