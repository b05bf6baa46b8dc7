import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy } from "react";
import { endSession, updateSession } from "@/api/generated";
import { queries } from "@/api/queries";
import { MenuButton } from "@/components/MenuButton";
import { messages, withMessages } from "@/messages";
import styles from "./AccountMenu.module.css";

const t = messages("access");
const AccountItems = lazy(() => withMessages(import("./AccountItems")));

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
  return (
    <MenuButton button={<span className={styles.name}>{data.account.name}</span>} label={t("accountMenu", { name: data.account.name })} disabled={signOut.isPending}>
      <AccountItems session={data} display={display} onShortcuts={onShortcuts} onTeam={(id) => change.mutate(id)} onSignOut={() => signOut.mutate()} />
    </MenuButton>
  );
}
