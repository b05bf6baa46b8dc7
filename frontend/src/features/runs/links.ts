/** Addresses of the pages of runs, cells and trials. */
export function runHref(runId: string): string {
  return `/runs/${runId}`;
}

export function cellHref(runId: string, cellId: string): string {
  return `/runs/${runId}/cells/${encodeURIComponent(cellId)}`;
}

/** The address of the trial of a cell in one round. */
export function roundHref(runId: string, cellId: string, round: number): string {
  return `${cellHref(runId, cellId)}/rounds/${round}`;
}

export function trialHref(runId: string, trialId: string): string {
  return `/runs/${runId}/trials/${trialId}`;
}
