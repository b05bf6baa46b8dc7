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
  const asked = useLater(text);
  const isAsked = asked !== "";
  const runs = useQuery(queries.newestRuns(isAsked ? SEARCHED : RECENT));
  const hosts = useQuery({ ...queries.hosts(), enabled: isAsked });
  const presets = useQuery({ ...queries.presets(), enabled: isAsked });
  const found: Command[] = [
    ...(runs.data?.data ?? []).map((run) => ({ id: run.id, group: t("groupRuns"), label: run.title, detail: formatZonedTime(run.created_at), words: `${run.id} ${run.state} ${run.host ?? ""} ${(run.tags ?? []).join(" ")}`, run: () => open(`/runs/${run.id}`) })),
    ...(isAsked ? (hosts.data ?? []).map((host) => ({ id: `host ${host.name}`, group: t("groupHosts"), label: host.name, run: () => open(`/hosts/${encodeURIComponent(host.name)}`) })) : []),
    ...(isAsked ? (presets.data ?? []).map((preset) => ({ id: `study ${preset.name}`, group: t("groupStudies"), label: preset.title, run: () => open(`/new?preset=${encodeURIComponent(preset.name)}`) })) : []),
  ].filter((command) => fits(command, asked));
  const all = [runs, hosts, presets];
  return { found: found.slice(0, LISTED), isLoading: all.some((query) => query.isLoading) || asked !== text, failed: all.some((query) => query.isError) };
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
