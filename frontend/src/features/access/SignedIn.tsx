import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Outlet, useLocation } from "react-router";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";
import { onSignedOut } from "@/api/session";
import { Failure, Loading } from "@/components/Status";
import { messages } from "@/messages";
import { NoTeam } from "./NoTeam";
import { SecondFactorNeeded } from "./SecondFactorNeeded";
import { RecentSignIn } from "./RecentSignIn";
import { SignedOutBar } from "./SignedOutBar";
import { SignInHelp } from "./SignInHelp";

const t = messages("access");

/** Pages of the account and of the installation; all others are of a team. */
const WITHOUT_TEAM = /^\/(account|administration|device|help)(\/|$)/;

/** The pages that need an account. Pages stay mounted when the session ends: what was typed is kept. */
export function SignedIn() {
  const client = useQueryClient();
  const session = useQuery(queries.session());
  const { pathname } = useLocation();
  const team = session.data?.team;
  useEffect(() => onSignedOut(() => void client.invalidateQueries({ queryKey: queries.session().queryKey })), [client]);
  const isSignedOut = session.error instanceof ApiError && session.error.status === 401;
  useReturn(client, session.data?.account?.id, isSignedOut);
  if (!session.data) {
    if (isSignedOut) return <SignInHelp />;
    return session.error ? <Failure error={session.error} retry={() => void session.refetch()} /> : <Loading label={t("loadingAccount")} rows={2} />;
  }
  return (
    <>
      {WITHOUT_TEAM.test(pathname) ? <Outlet /> : !team ? <NoTeam name={session.data.account.name} /> : team.needs_second_factor ? <SecondFactorNeeded team={team} /> : <Outlet />}
      {isSignedOut ? <SignedOutBar /> : <RecentSignIn />}
    </>
  );
}

/** After a new sign-in, loads everything again; where it is another account, opens its start page: nothing of the former one stays. */
function useReturn(client: QueryClient, account: string | undefined, isSignedOut: boolean): void {
  const before = useRef<{ account: string | undefined; isSignedOut: boolean }>({ account, isSignedOut });
  useEffect(() => {
    const known = before.current;
    before.current = { account: account ?? known.account, isSignedOut };
    if (known.account !== undefined && account !== undefined && known.account !== account) window.location.replace("/");
    else if (known.isSignedOut && !isSignedOut && account !== undefined) void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
  }, [client, account, isSignedOut]);
}
