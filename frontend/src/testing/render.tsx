import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { MemoryRouter, Route, Routes } from "react-router";

/** Renders pages by their route patterns at an address, and `beside` next to them. Queries are not retried. Returns their cache. */
export function showAt(address: string, pages: Readonly<Record<string, React.ReactNode>>, beside?: React.ReactNode): QueryClient {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
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
