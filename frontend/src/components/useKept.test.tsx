import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import { queries } from "@/api/queries";
import { refusal, serve } from "@/testing/server";
import { sessionOf } from "@/testing/sessions";
import { useKept } from "./useKept";

function Text() {
  const [text, setText] = useKept("text", "");
  return <input aria-label="Text" value={text} onChange={(event) => setText(event.target.value)} />;
}

/** Opens the page as a new document of the same tab. */
function open(account: string, at = "/new?preset=a"): QueryClient {
  cleanup();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { account: known } = sessionOf("runner");
  client.setQueryData(queries.session().queryKey, sessionOf("runner", { account: { ...known, id: account } }));
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[at]}>
        <Text />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return client;
}

const shown = () => screen.getByLabelText<HTMLInputElement>("Text").value;
const type = (value: string) => fireEvent.change(screen.getByLabelText("Text"), { target: { value } });

/** Ends the session: the server refuses it. */
async function end(client: QueryClient): Promise<void> {
  serve(() => refusal(401, { code: "unauthenticated" }));
  await client.fetchQuery({ ...queries.session(), staleTime: 0 }).catch(() => undefined);
  await waitFor(() => expect(sessionStorage).toHaveLength(1));
}

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

describe("useKept", () => {
  it("finds what was typed after a sign-in on another page, once", async () => {
    const client = open("acc_1");
    type("before");
    await end(client);
    type("and after");
    open("acc_1");
    expect(shown()).toBe("and after");
    expect(sessionStorage).toHaveLength(0);
    open("acc_1");
    expect(shown()).toBe("");
  });

  it("shows another account and another address nothing of it", async () => {
    const client = open("acc_1");
    type("mine");
    await end(client);
    open("acc_1", "/new");
    expect(shown()).toBe("");
    open("acc_2");
    expect(shown()).toBe("");
  });

  it("stores nothing while the session lasts", () => {
    open("acc_1");
    type("mine");
    expect(sessionStorage).toHaveLength(0);
  });

  it("ignores what is no value of its own", () => {
    sessionStorage.setItem("plimsoll kept /new?preset=a text", "{");
    open("acc_1");
    expect(shown()).toBe("");
  });
});
