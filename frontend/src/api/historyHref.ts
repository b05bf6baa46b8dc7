/** The page of an experiment's history on a host; of one series with its metric, basis and cell. */
export function historyHref(experimentId: string, host: string, series: Readonly<Record<string, string>> = {}): string {
  return `/experiments/${experimentId}/history?${new URLSearchParams({ host, ...series }).toString()}`;
}
