/** Why a run cannot be started now. Pure. */
import type { messages } from "@/messages";

interface StartState {
  /** The YAML cannot be parsed. */
  blocked: boolean;
  /** What is compared went away, and nothing else was chosen. */
  lost: boolean;
  /** The server refused the definition. */
  refused: boolean;
  /** There was no plan for another reason, such as a lost server. */
  failed: boolean;
  /** The shown plan is of an earlier version, or of none. */
  stale: boolean;
  /** No trial can run. */
  nothing: boolean;
  /** No host is chosen. */
  hostless: boolean;
  /** The chosen host left. */
  gone: boolean;
}

type Key = Parameters<ReturnType<typeof messages<"experiments">>>[0];

/** Returns the message of the first reason; null where the shown plan can start. */
export function startRefusal({ blocked, lost, refused, failed, stale, nothing, hostless, gone }: StartState): Key | null {
  if (blocked) return "notStartedYaml";
  if (lost) return "notStartedCompare";
  if (gone) return "notStartedGone";
  if (refused) return "notStartedRefused";
  if (failed) return "notStartedFailed";
  if (hostless) return "notStartedHost";
  if (stale) return "notStartedStale";
  return nothing ? "notStartedNothing" : null;
}
