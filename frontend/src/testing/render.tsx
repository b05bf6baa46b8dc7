import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter, Route, Routes } from "react-router";
import type { Session } from "@/api/generated";
import { queries } from "@/api/queries";

/** Renders pages by their route patterns at an address, and `beside` next to them, optionally for a session. Queries are not retried. Returns their cache. */
export function showAt(address: string, pages: Readonly<Record<string, React.ReactNode>>, beside?: React.ReactNode, session?: Session): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  if (session) client.setQueryData(queries.session().queryKey, session);
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          {Object.entries(pages).map(([path, page]) => (
            <Route key={path} path={path} element={page} />
          ))}
        </Routes>
        {beside}
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return client;
}

/** A router at an address and a cache whose queries request nothing. */
export function Still({ at = "/", children }: { at?: string; children: React.ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { enabled: false } } }));
  return (
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
    </QueryClientProvider>
  );
}
