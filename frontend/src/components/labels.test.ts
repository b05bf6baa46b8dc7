import { afterEach, describe, expect, it } from "vitest";
import { ready } from "@/messages";
import { labelText, localized } from "@/messages/labels";
import { chooseLanguage } from "@/messages/language";
import { factName } from "./factName";

const to = (language: "en" | "zh") => chooseLanguage(language, ready);

afterEach(() => to("en"));

describe("labelText", () => {
  it.each([
    ["Published port on 127.0.0.1, userland-proxy on, 8 clients", "127.0.0.1 上发布的端口，userland-proxy 开启，8 个客户端"],
    ["Reverse proxy nginx (HTTP), Unix socket, 1 client (A/A)", "反向代理 nginx（HTTP），Unix 套接字，1 个客户端 (A/A)"],
    ["offered rate 4000 1/s", "提供速率 4000 1/s"],
    ["no CPU quota, GOMAXPROCS 4", "无 CPU 配额，GOMAXPROCS 4"],
    ["pgbench, server's cpuset 0-1,3", "pgbench，服务器 cpuset 0-1,3"],
    ["Same container against Bare host", "同一容器 对比 裸主机"],
    ["Cost per hop: 8 clients", "每一跳的开销：8 个客户端"],
    ["transactions per second", "每秒事务数"],
  ])("translates the parts of %s", async (label, text) => {
    await to("zh");
    expect(labelText(label)).toBe(text);
  });

  it("leaves English, and what is no label of the server", async () => {
    expect(labelText("Bare host, 8 clients")).toBe("Bare host, 8 clients");
    await to("zh");
    for (const own of ["My service, version 2", "prepared", "2 against 3", "a b clients", ""]) expect(labelText(own)).toBe(own);
  });
});

describe("localized", () => {
  const answer = { title: "Bare host", cells: [{ label: "Bare host, 1 client", values: [1, 2], document: { label: "Bare host" } }], knees: [{ title: "Bare host" }] };

  it("translates labels, and neither titles of users nor their documents", async () => {
    expect(localized(answer)).toBe(answer);
    await to("zh");
    expect(localized(answer)).toEqual({ title: "Bare host", cells: [{ label: "裸主机，1 个客户端", values: [1, 2], document: { label: "Bare host" } }], knees: [{ title: "裸主机" }] });
  });
});

describe("factName", () => {
  it("names factors and facts of an environment; what the page does not know is the identifier in words", async () => {
    expect(["cpu governor", "shared_buffers_mb", "engine lab docker"].map(factName)).toEqual(["cpu governor", "shared buffers mb", "engine lab docker"]);
    await to("zh");
    expect(["cpu governor", "shared_buffers_mb", "clients", "boot order"].map(factName)).toEqual(["CPU 调频策略", "shared_buffers", "客户端数", "boot order"]);
  });

  it("names in Chinese the facts of an engine, of kernel settings and of what was there at the start", async () => {
    const names = ["engine lab docker", "engine lab kernel", "engine lab image id", "sysctl net.ipv4.tcp_rmem", "at start: containers"];
    expect(names.map(factName)).toEqual(["engine lab docker", "engine lab kernel", "engine lab image id", "sysctl net.ipv4.tcp_rmem", "at start: containers"]);
    await to("zh");
    expect(names.map(factName)).toEqual(["引擎 lab：docker", "引擎 lab：内核", "引擎 lab：镜像 ID", "内核参数 net.ipv4.tcp_rmem", "启动时：containers"]);
  });
});

it("takes the messages of a list from the field beside it", async () => {
  await to("zh");
  const found = { reasons: ["a", "b"], reason_messages: [{ id: "runsOwnBaselines", figures: {} }, null], message: null };
  expect(localized(found).reasons).toEqual(["基线没有行：每个基线都除以自身。", "b"]);
});

it("says the claims of a published study and its environment in Chinese", async () => {
  await to("zh");
  expect(labelText("the bridge costs about 13 %")).toBe("网桥的开销约为 13 %");
  expect(labelText("Docker 18.09.5, Swarm of three nodes with one manager, link of 10 Gbit/s; iperf3")).toBe("Docker 18.09.5，三个节点的 Swarm（其中一个为管理节点），10 Gbit/s 链路；iperf3");
});

it("names the methods and the summaries of presets in Chinese", async () => {
  await to("zh");
  expect(localized({ methods: ["one family of 5 ratios: Bonferroni's correction"] })).toEqual({ methods: ["5 个比值为一族：Bonferroni 校正"] });
  expect(localized({ summary: "The same four paths with windows of three seconds and ten rounds." }, ["summary"])).toEqual({ summary: "同样的四条路径，窗口为三秒，十轮。" });
});

describe("sentences of an answer", () => {
  const rule = "Without a warm-up the windows include cold caches and the first connections.";
  const messages = { [rule]: { id: "reasons:noWarmUp", figures: {} }, busy: { id: "reasons:signalBusy", figures: {} } };

  it("are replaced by their messages: beside the field, or by text among those of the answer", async () => {
    await chooseLanguage("zh", ready);
    const answer = {
      messages,
      plan: { warnings: [rule, "a text without message"], title: rule },
      signals: [{ name: "busy", expected: "busy", observed: "1", state: "busy" }],
      sentence: "none",
      message: { id: "reasons:signalNone", figures: {} },
      detail: "unread",
      detail_message: { id: "reasons:ofANewerRelease", figures: {} },
    };
    expect(localized(answer)).toMatchObject({
      plan: { warnings: ["没有预热，测量窗口会包含冷缓存和首批连接。", "a text without message"], title: rule },
      signals: [{ name: "忙", expected: "忙", observed: "1", state: "busy" }],
      sentence: "无",
      detail: "unread",
    });
  });
});
