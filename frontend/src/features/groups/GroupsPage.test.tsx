import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { RUN_GROUP } from "@/testing/hostsResult";
import { showAt } from "@/testing/render";
import { serve } from "@/testing/server";
import { GroupsPage } from "./GroupsPage";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("lists the groups page by page, each with its hosts and a link", async () => {
  const older = { ...RUN_GROUP, id: "grp_0", title: "An older one" };
  serve(({ query }) => (query.get("cursor") ? { data: [older], next_cursor: null } : { data: [RUN_GROUP], next_cursor: "next" }));
  showAt("/run-groups", { "/run-groups": <GroupsPage /> });
  expect((await screen.findByRole("link", { name: "Two hosts" })).getAttribute("href")).toBe("/run-groups/grp_1");
  expect(screen.getByText("bench-1, bench-2, gone")).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Older ones" }));
  await screen.findByRole("link", { name: "An older one" });
  expect(screen.queryByRole("button", { name: "Older ones" })).toBeNull();
});

it("says how to start one where there is none", async () => {
  serve(() => ({ data: [], next_cursor: null }));
  showAt("/run-groups", { "/run-groups": <GroupsPage /> });
  expect(await screen.findByText(/Choose several hosts, or a label/)).toBeTruthy();
});
