import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Session } from "@/api/generated";

/** Whether the account may do this in its team, or in the installation. True before the session was read: the API decides in any case. */
export function useMay(permission: Session["permissions"][number]): boolean {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  if (data === undefined) return true;
  return permission === "installation" ? data.account.installation_admin : data.permissions.includes(permission);
}
