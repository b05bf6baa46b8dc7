/** The key of the list of webhooks, and the common prefix of the keys of their messages. */
export const WEBHOOKS = ["webhooks"] as const;

/** The key of the messages of a webhook. */
export function deliveriesKey(id: string): readonly string[] {
  return ["webhook-deliveries", id];
}
