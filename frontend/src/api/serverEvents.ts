import { createParser, type EventSourceMessage } from "eventsource-parser";

export type ServerEvent = EventSourceMessage;

/**
 * Reads a stream of events to its end. Calls `heard` for each part that arrives, also a comment, before the events that are complete by it.
 *
 * The browser's EventSource hides comments, which are the server's heartbeats, and the status of a refused request.
 */
export async function readEvents(body: ReadableStream<Uint8Array>, heard: () => void, received: (event: ServerEvent) => void): Promise<void> {
  const parser = createParser({ onEvent: received });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    parser.feed(decoder.decode(value, { stream: true }));
  }
}
