import type { Session } from "@/api/generated";
import { MenuCheck, MenuChoice, MenuItem, MenuLink, MenuSeparator } from "@/components/Menu";
import { useShortcutsOn } from "@/components/shortcuts";
import { messages } from "@/messages";

const t = messages("access");

interface Props {
  session: Session;
  /** Items that choose theme and language. */
  display: React.ReactNode;
  onShortcuts: () => void;
  onTeam: (id: string) => void;
  onSignOut: () => void;
}

/** The items of the account's menu. */
export function AccountItems({ session: { account, team, teams }, display, onShortcuts, onTeam, onSignOut }: Props) {
  const [shortcuts, setShortcuts] = useShortcutsOn();
  return (
    <>
      {team && teams.length > 1 && <MenuChoice label={t("chooseTeam")} options={teams.map(({ id, name }) => ({ value: id, label: name }))} value={team.id} onChange={onTeam} />}
      {team && <MenuLink to="/team" detail={team.name}>{t("team")}</MenuLink>}
      {account.installation_admin && <MenuLink to="/administration">{t("administration")}</MenuLink>}
      <MenuLink to="/account">{t("yourAccount")}</MenuLink>
      <MenuSeparator />
      {display}
      <MenuSeparator />
      <MenuLink to="/api-docs">{t("api")}</MenuLink>
      <MenuItem onSelect={onShortcuts} keys="?">{t("showShortcuts")}</MenuItem>
      <MenuCheck checked={shortcuts} onChange={setShortcuts}>{t("singleKeys")}</MenuCheck>
      <MenuSeparator />
      <MenuItem onSelect={onSignOut}>{t("signOut")}</MenuItem>
    </>
  );
}

export default AccountItems;
