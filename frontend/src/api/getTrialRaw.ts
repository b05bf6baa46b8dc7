import { apiUrl, requestText } from "./client";

/** Every command's argv, exit code, stdout and stderr as text. */
export function getTrialRaw(id: string): Promise<string> {
  return requestText(`/trials/${id}/raw`);
}

export function trialRawUrl(id: string): string {
  return apiUrl(`/trials/${id}/raw`);
}
