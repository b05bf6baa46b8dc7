import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, Outlet, useLocation } from "react-router";
import { ApiError } from "@/api/errors";
import { queries } from "@/api/queries";
import { onSignedOut } from "@/api/session";
import { Failure, Loading, Note } from "@/components/Status";
import { NoTeam } from "./NoTeam";
import { SecondFactorNeeded } from "./SecondFactorNeeded";
import { SignInHelp } from "./SignInHelp";

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
  if (!session.data) {
    if (isSignedOut) return <SignInHelp />;
    return session.error ? <Failure error={session.error} retry={() => void session.refetch()} /> : <Loading label="Loading your account" rows={2} />;
  }
  return (
    <>
      {isSignedOut && (
        <Note tone="warn">
          You are signed out. <Link to="/sign-in" target="_blank" rel="noopener">Sign in in another tab</Link>, then come back: nothing on this page is lost.
        </Note>
      )}
      {WITHOUT_TEAM.test(pathname) ? <Outlet /> : !team ? <NoTeam name={session.data.account.name} /> : team.needs_second_factor ? <SecondFactorNeeded team={team} /> : <Outlet />}
    </>
  );
}
