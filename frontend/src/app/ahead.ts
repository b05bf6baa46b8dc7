/** The first requests of a page that is opened by its address: sent while its code loads, so that they do not wait for it. */
import { homeHost } from "@/api/homeHost";
import { queries } from "@/api/queries";
import { queryClient } from "./queryClient";

/** Pages that nobody has to sign in for. */
const OPEN = /^\/(shared|x|sign-in|invitation)(\/|$)/;
const RUN = /^\/runs\/(\w+)\/?$/;

// The page sends it again, and shows why.
const refused = () => undefined;

/** Requests the session, and of the first page and of a run what they show first. */
export function requestAhead(pathname: string, search = ""): void {
  if (OPEN.test(pathname)) return;
  queryClient.query({ ...queries.session(), retry: false }).catch(refused);
  const runId = RUN.exec(pathname)?.[1];
  if (runId !== undefined) {
    queryClient.query({ ...queries.run(runId), retry: false }).catch(refused);
    queryClient.query({ ...queries.matrix(runId), retry: false }).catch(refused);
  }
  if (pathname === "/") {
    const home = queries.home(homeHost(new URLSearchParams(search)));
    queryClient.query({ ...home, retry: false }).catch(refused);
    queryClient.query({ ...queries.presets(), retry: false }).catch(refused);
  }
}
