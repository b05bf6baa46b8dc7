import { request } from "./client";
import type { Experiment, ExperimentDocument } from "./types";

/** Stores a document; the same canonical document again gives the experiment that exists. */
export function postExperiment(document: ExperimentDocument): Promise<Experiment> {
  return request<Experiment>("/experiments", { method: "POST", body: document });
}
