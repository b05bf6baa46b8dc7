import { request } from "./client";
import type { Preset } from "./types";

export async function getPresets(): Promise<Preset[]> {
  return (await request<{ data: Preset[] }>("/presets")).data;
}
