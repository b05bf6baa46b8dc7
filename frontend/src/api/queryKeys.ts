/** The cache's keys, one shape for each API call. */
export const keys = {
  presets: ["presets"] as const,
  factors: ["factors"] as const,
  hosts: ["hosts"] as const,
  equivalence: (host: string) => ["equivalence", host] as const,
  runs: ["runs"] as const,
  run: (id: string) => ["run", id] as const,
  result: (id: string) => ["result", id] as const,
  trials: (id: string) => ["trials", id] as const,
  trial: (id: string) => ["trial", id] as const,
  shares: (runId: string) => ["shares", runId] as const,
  raw: (id: string) => ["raw", id] as const,
  comparison: (asked: unknown) => ["comparison", asked] as const,
  commands: (runId: string, cellId: string) => ["commands", runId, cellId] as const,
  budget: (document: unknown, host: string | undefined, minutes: number) => ["budget", host ?? null, minutes, document] as const,
  plan: (document: unknown, host: string | undefined) => ["plan", host ?? null, document] as const,
  experiment: (id: string) => ["experiment", id] as const,
};
