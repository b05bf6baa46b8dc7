import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClientProvider } from "@tanstack/react-query";
import { createBrowserRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { useLanguage } from "@/messages/language";
import { queryClient } from "./queryClient";
import { ROUTES } from "./routes";

const router = createBrowserRouter(ROUTES);

/** The page. It is built anew when another language is chosen; what was typed is kept by its drafts. */
export function App() {
  const language = useLanguage();
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider key={language} router={router} />
      </QueryClientProvider>
    </CSPProvider>
  );
}
