import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { endSession, updateSession } from "@/api/generated";
import { queries } from "@/api/queries";
import { Menu, MenuCheck, MenuChoice, MenuItem, MenuLink, MenuSeparator } from "@/components/Menu";
import { useShortcutsOn } from "@/components/shortcuts";
import { messages } from "@/messages";
import styles from "./AccountMenu.module.css";

const t = messages("access");

interface Props {
  /** Items that choose theme and language. */
  display: React.ReactNode;
  onShortcuts: () => void;
  /** Shown without a session. */
  otherwise: React.ReactNode;
}

/** The account's menu in the header: its teams, settings and the way out. */
export function AccountMenu({ display, onShortcuts, otherwise }: Props) {
  const client = useQueryClient();
  const { data, error } = useQuery({ ...queries.session(), enabled: false });
  const [shortcuts, setShortcuts] = useShortcutsOn();
  const leave = () => {
    window.location.assign("/sign-in"); // a new document: nothing of the session stays in memory
  };
  const signOut = useMutation({ mutationFn: () => endSession(), onSuccess: leave });
  const change = useMutation({
    mutationFn: (team_id: string) => updateSession({ body: { team_id } }),
    onSuccess: () => {
      client.clear();
      window.location.assign("/");
    },
  });
  if (!data || error) return otherwise;
  const { account, team, teams } = data;
  return (
    <Menu button={<span className={styles.name}>{account.name}</span>} label={t("accountMenu", { name: account.name })} kind="ghost" align="end" disabled={signOut.isPending}>
      {team && teams.length > 1 && <MenuChoice label={t("chooseTeam")} options={teams.map(({ id, name }) => ({ value: id, label: name }))} value={team.id} onChange={(id) => change.mutate(id)} />}
      {team && <MenuLink to="/team" detail={team.name}>{t("team")}</MenuLink>}
      {account.installation_admin && <MenuLink to="/administration">{t("administration")}</MenuLink>}
      <MenuLink to="/account">{t("yourAccount")}</MenuLink>
      <MenuSeparator />
      {display}
      <MenuSeparator />
      <MenuItem onSelect={onShortcuts} keys="?">{t("showShortcuts")}</MenuItem>
      <MenuCheck checked={shortcuts} onChange={setShortcuts}>{t("singleKeys")}</MenuCheck>
      <MenuSeparator />
      <MenuItem onSelect={() => signOut.mutate()}>{t("signOut")}</MenuItem>
    </Menu>
  );
}
