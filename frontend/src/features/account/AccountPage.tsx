import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { useTitle } from "@/components/useTitle";
import { Browsers } from "./Browsers";
import { Identities } from "./Identities";
import { PasswordSection } from "./PasswordSection";
import { Profile } from "./Profile";
import { SecondFactor } from "./SecondFactor";
import { Tokens } from "./Tokens";

/** The page of the caller's own account, in sections. */
export function AccountPage() {
  useTitle("Account");
  const session = useQuery(queries.session());
  return (
    <>
      <PageHead crumbs={[{ label: "Start", to: "/" }, { label: "Account" }]} title="Account" meta={session.data && `${session.data.account.name}${session.data.team ? `, ${session.data.team.role} of ${session.data.team.name}` : ""}`} />
      <Profile />
      <PasswordSection />
      <SecondFactor />
      <Identities />
      <Browsers />
      {session.data?.team && !session.data.team.needs_second_factor && <Tokens />}
    </>
  );
}
