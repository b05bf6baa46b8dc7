import { request } from "./client";
import type { Host } from "./types";

export async function getHosts(): Promise<Host[]> {
  return (await request<{ data: Host[] }>("/hosts")).data;
}
