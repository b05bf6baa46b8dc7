import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { Note } from "@/components/Status";

/** What to do where a change needs a sign-in of the last minutes. Plain links: the page begins anew with the new session. */
export function SignInAgain({ what }: { what: string }) {
  const provider = useQuery(queries.signInMethods()).data?.provider;
  return (
    <Note tone="info">
      {what} needs a sign-in of the last 15 minutes. <a href="/sign-in?to=/account">Sign in again</a>
      {provider && (
        <>
          {" or "}
          <a href={`${provider.url}?to=/account`}>by {provider.name}</a>
        </>
      )}
      , then come back to this page.
    </Note>
  );
}
