/** One event of a stream, as https://html.spec.whatwg.org/multipage/server-sent-events.html defines it; `id` is "" where it has none. */
export interface ServerEvent {
  name: string;
  data: string;
  id: string;
}

/**
 * Reads a stream of events to its end. Calls `received` for each part that arrives, also a comment, with the events that are complete by it.
 *
 * The browser's EventSource hides comments, which are the server's heartbeats, and the status of a refused request.
 */
export async function readEvents(body: ReadableStream<Uint8Array>, received: (events: readonly ServerEvent[]) => void): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parse = parser();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop()!;
    received(lines.flatMap((line) => parse(line.endsWith("\r") ? line.slice(0, -1) : line)));
  }
}

/** Returns a function that takes one line after the other and returns the event that it completes, or none. */
function parser(): (line: string) => ServerEvent[] {
  let name = "";
  let data: string[] = [];
  let id = "";
  return (line) => {
    if (line === "") {
      const complete = data.length > 0 ? [{ name: name || "message", data: data.join("\n"), id }] : [];
      [name, data, id] = ["", [], ""];
      return complete;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
    else if (field === "id") id = value;
    return [];
  };
}
