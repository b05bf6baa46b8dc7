import { vi } from "vitest";

/** One request of a stream of events, as a server answers it. */
export class ServedStream {
  private controller!: ReadableStreamDefaultController<Uint8Array>;
  readonly answer = new Response(new ReadableStream<Uint8Array>({ start: (controller) => void (this.controller = controller) }), { headers: { "Content-Type": "text/event-stream; charset=utf-8" } });

  constructor(
    readonly url: string,
    readonly signal: AbortSignal,
    readonly lastEventId: string | null = null,
  ) {}

  /** Sends text as it is, for example a comment or a part of an event. */
  text(text: string): void {
    this.bytes(new TextEncoder().encode(text));
  }

  bytes(bytes: Uint8Array): void {
    this.controller.enqueue(bytes);
  }

  event(name: string, data: unknown, id = ""): void {
    this.text(`event: ${name}\ndata: ${JSON.stringify(data)}\n${id && `id: ${id}\n`}\n`);
  }

  end(): void {
    this.controller.close();
  }

  lose(): void {
    this.controller.error(new TypeError("network error"));
  }
}

/** Stubs `fetch`: streams of events stay open until the test ends them, unless `refuse` answers; everything else is an empty success. Returns the streams, oldest first. */
export function serveStreams(refuse: (url: string) => Response | undefined = () => undefined): ServedStream[] {
  const all: ServedStream[] = [];
  vi.stubGlobal("fetch", (request: Request | string, init?: RequestInit) => {
    const { pathname, search } = new URL(typeof request === "string" ? request : request.url, window.location.origin);
    if (!pathname.endsWith("/events")) return Promise.resolve(new Response("{}"));
    const stream = new ServedStream(pathname + search, init!.signal!, typeof request === "string" ? null : request.headers.get("Last-Event-ID"));
    all.push(stream);
    return Promise.resolve(refuse(stream.url) ?? stream.answer);
  });
  return all;
}
