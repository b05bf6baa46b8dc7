import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { Note } from "@/components/Status";
import { messages } from "@/messages";
import { RichText } from "@/messages/RichText";

const t = messages("account");

/** What to do where a change needs a sign-in of the last minutes. Plain links: the page begins anew with the new session. */
export function SignInAgain({ forSetUp = false }: { forSetUp?: boolean }) {
  const provider = useQuery(queries.signInMethods()).data?.provider;
  return (
    <Note tone="info">
      {t(forSetUp ? "setUpNeedsRecent" : "changeNeedsRecent")}{" "}
      <RichText
        namespace="account"
        id={provider ? "signInAgainOr" : "signInAgain"}
        values={{ provider: provider?.name ?? "" }}
        parts={{ again: <a href="/sign-in?to=/account" />, by: <a href={`${provider?.url ?? ""}?to=/account`} /> }}
      />
    </Note>
  );
}
