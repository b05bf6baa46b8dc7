import { spawn } from "node:child_process";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { curlOf, pythonOf, type CodeRequest } from "./requestCode";

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let origin: string;
let status = 202;
const received: Received[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body });
      response.writeHead(status, { "Content-Type": "application/json" }).end('{"id":"run_1"}');
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const TITLES = {
  quotes: `it's "quoted" \`id\` \\ back\\nslash`,
  shell: "$HOME $(id) ${PATH} !! ; rm -rf * | & > /tmp/x '\\''",
  lines: "one\ntwo\r\n\ttab\nJSON\nEOF\n",
  Chinese: "代理的代价：开与关 — 比较 🚢",
  "right to left": "השוואה \u202Eabc\u202C مقارنة",
  unseen: "a\u0000b\u001fc\u007f\u00ad\u2028\ufeff",
  python: `""" ''' {x} %s f"{1}" \\N{DASH}`,
};
const documentOf = (title: string) => ({ title, rounds: 10, margin: 0.05, profile: true, off: false, seed: null, factors: { path: ["published_loopback"], clients: [1, 8, 32], deep: [{ a: [] }, {}] } });

/** Runs a program with a text on its standard input; returns its exit code and what it wrote. */
function run(program: string, args: readonly string[], input?: string): Promise<[number | null, string]> {
  return new Promise((done) => {
    const child = spawn(program, args, { env: { PATH: process.env["PATH"], PLIMSOLL_TOKEN: "plm_a$b'c\"d", LANG: "C" } });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
    child.on("close", (code) => done([code, output]));
    child.stdin.end(input);
  });
}

const request = (more: Partial<CodeRequest> = {}): CodeRequest => ({ method: "POST", path: "/api/v1/runs?host=it's+a%20host", origin, ...more });
const RUNNERS = {
  "curl in sh": (each: CodeRequest) => run("sh", ["-c", curlOf(each)]),
  "curl pasted into sh": (each: CodeRequest) => run("sh", ["-s"], curlOf(each)),
  python3: (each: CodeRequest) => run("python3", ["-c", pythonOf(each)]),
};

describe.each(Object.entries(RUNNERS))("a request as %s", (_name, send) => {
  it.each(Object.entries(TITLES))("arrives as it is on the page: %s", async (_kind, title) => {
    const body = documentOf(title);
    const [code, output] = await send(request({ body }));
    expect([code, output.trim()]).toEqual([0, '{"id":"run_1"}']);
    const last = received.at(-1)!;
    expect(JSON.parse(last.body)).toEqual(body);
    expect(last).toMatchObject({ method: "POST", url: "/api/v1/runs?host=it's+a%20host" });
    expect(last.headers).toMatchObject({ authorization: `Bearer plm_a$b'c"d`, "content-type": "application/json" });
  });

  it("has no body where none is sent", async () => {
    expect((await send(request({ method: "DELETE" })))[0]).toBe(0);
    expect(received.at(-1)).toMatchObject({ method: "DELETE", body: "" });
  });

  it("fails with the server's answer where it refuses", async () => {
    status = 422;
    const [code, output] = await send(request({ body: {} }));
    status = 202;
    expect(code).not.toBe(0);
    expect(output).toContain('{"id":"run_1"}');
  });
});

describe("the text", () => {
  it("has no character that is not seen, and no token", () => {
    for (const title of Object.values(TITLES))
      for (const text of [curlOf(request({ body: { title } })), pythonOf(request({ body: { title } }))]) {
        // eslint-disable-next-line no-control-regex -- that none of these is there is what is tested
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u00ad\u2028\u202a-\u202e\ufeff]/);
        expect(text).toContain("PLIMSOLL_TOKEN");
      }
  });
});
