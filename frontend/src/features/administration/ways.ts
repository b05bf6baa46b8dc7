import type { AccountEntry } from "@/api/generated";

/** By what an account signs in: "password and second factor". */
export function waysOf({ has_password, has_provider, has_second_factor }: Pick<AccountEntry, "has_password" | "has_provider" | "has_second_factor">): string {
  const ways = [has_password && "password", has_provider && "identity provider"].filter(Boolean);
  const first = ways.length === 0 ? "links only" : ways.join(" or ");
  return has_second_factor ? `${first}, with a second factor` : first;
}
