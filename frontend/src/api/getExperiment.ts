import { request } from "./client";
import type { Experiment } from "./types";

export function getExperiment(id: string): Promise<Experiment> {
  return request<Experiment>(`/experiments/${id}`);
}
