import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import { PageHead } from "@/components/PageHead";
import { useTitle } from "@/components/useTitle";
import { messages } from "@/messages";
import { Browsers } from "./Browsers";
import { Identities } from "./Identities";
import { PasswordSection } from "./PasswordSection";
import { Profile } from "./Profile";
import { SecondFactor } from "./SecondFactor";
import { Tokens } from "./Tokens";

const t = messages("account");

/** The page of the caller's own account, in sections. */
export function AccountPage() {
  useTitle(t("account"));
  const session = useQuery(queries.session());
  return (
    <>
      <PageHead crumbs={[{ label: t("start"), to: "/" }, { label: t("account") }]} title={t("account")} meta={session.data && (session.data.team ? t("roleIn", { name: session.data.account.name, role: session.data.team.role, team: session.data.team.name }) : session.data.account.name)} />
      <Profile />
      <PasswordSection />
      <SecondFactor />
      <Identities />
      <Browsers />
      {session.data?.team && !session.data.team.needs_second_factor && <Tokens />}
    </>
  );
}
