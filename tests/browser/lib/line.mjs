// A proxy between browser and product that can be stopped and started again, to test a lost connection.
import { once } from "node:events";
import { createServer, request } from "node:http";

/** Opens a line to `target`: its own address, the id that a stream first asks to resume from, and how to cut and mend it. */
export async function openLine(target) {
  const to = new URL(target);
  const { promise: resumed, resolve: resume } = Promise.withResolvers();
  const server = createServer((incoming, answer) => {
    const from = incoming.headers["last-event-id"];
    if (from && new URL(incoming.url, to).pathname.endsWith("/events")) resume(from);
    const outgoing = request({ host: to.hostname, port: to.port, path: incoming.url, method: incoming.method, headers: incoming.headers });
    outgoing.on("response", (given) => {
      answer.writeHead(given.statusCode, given.headers);
      given.pipe(answer);
      given.on("error", () => answer.destroy());
    });
    outgoing.on("error", () => answer.destroy());
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  const listen = async (port) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen(0);
  const { port } = server.address();
  const cut = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  return { url: `http://127.0.0.1:${port}`, resumed, cut, mend: () => listen(port) };
}
