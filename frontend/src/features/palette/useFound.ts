import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries } from "@/api/queries";
import { formatZonedTime } from "@/components/format";
import { messages } from "@/messages";
import { fits, type Command } from "./commands";

const t = messages("palette");
/** Runs that are listed before anything is typed, those among which is searched, and those that a search lists. */
const RECENT = 6;
const SEARCHED = 100;
const LISTED = 12;
const WAIT_MS = 150;

interface Found {
  found: Command[];
  isLoading: boolean;
  failed: boolean;
}

/** Finds runs, hosts and studies by a text; without one, gives the newest runs. */
export function useFound(text: string, open: (address: string) => void): Found {
  const query = useLater(text);
  const isSearch = query !== "";
  const runs = useQuery(queries.newestRuns(isSearch ? SEARCHED : RECENT));
  const hosts = useQuery({ ...queries.hosts(), enabled: isSearch });
  const presets = useQuery({ ...queries.presets(), enabled: isSearch });
  const found: Command[] = [
    ...(runs.data?.data ?? []).map((run) => ({ id: run.id, group: t("groupRuns"), label: run.title, detail: formatZonedTime(run.created_at), words: `${run.id} ${run.state} ${run.host ?? ""} ${(run.tags ?? []).join(" ")}`, run: () => open(`/runs/${run.id}`) })),
    ...(isSearch ? (hosts.data ?? []).map((host) => ({ id: `host ${host.name}`, group: t("groupHosts"), label: host.name, run: () => open(`/hosts/${encodeURIComponent(host.name)}`) })) : []),
    ...(isSearch ? (presets.data ?? []).map((preset) => ({ id: `study ${preset.name}`, group: t("groupStudies"), label: preset.title, run: () => open(`/new?preset=${encodeURIComponent(preset.name)}`) })) : []),
  ].filter((command) => fits(command, query));
  const all = [runs, hosts, presets];
  return { found: found.slice(0, LISTED), isLoading: all.some((each) => each.isLoading) || query !== text, failed: all.some((each) => each.isError) };
}

/** Returns the text once it has not changed for a moment: not every letter is a request. */
function useLater(text: string): string {
  const [later, setLater] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return later;
}
