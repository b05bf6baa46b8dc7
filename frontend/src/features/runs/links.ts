/** Where the depths of a run are. */
export function runHref(runId: string): string {
  return `/runs/${runId}`;
}

export function cellHref(runId: string, cellId: string): string {
  return `/runs/${runId}/cells/${encodeURIComponent(cellId)}`;
}

/** The trial of a cell in one round. */
export function roundHref(runId: string, cellId: string, round: number): string {
  return `${cellHref(runId, cellId)}/rounds/${round}`;
}

export function trialHref(runId: string, trialId: string): string {
  return `/runs/${runId}/trials/${trialId}`;
}
