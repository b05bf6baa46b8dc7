import { useQuery } from "@tanstack/react-query";
import { queries } from "@/api/queries";
import type { Session } from "@/api/generated";

/** Whether the account may do this in its team. True before the session was read: the API decides in any case. */
export function useMay(permission: Session["permissions"][number]): boolean {
  const { data } = useQuery({ ...queries.session(), enabled: false });
  return data === undefined || data.permissions.includes(permission);
}
