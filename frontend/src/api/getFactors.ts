import { request } from "./client";
import type { Factors } from "./types";

export function getFactors(): Promise<Factors> {
  return request<Factors>("/factors");
}
