import type { AccountEntry } from "@/api/generated";
import { messages } from "@/messages";

const t = messages("administration");

/** By what an account signs in: "password and second factor". */
export function waysOf({ has_password, has_provider, has_second_factor }: Pick<AccountEntry, "has_password" | "has_provider" | "has_second_factor">): string {
  const first = t(has_password ? (has_provider ? "wayBoth" : "wayPassword") : has_provider ? "wayProvider" : "wayLinks");
  return has_second_factor ? t("withSecondFactor", { ways: first }) : first;
}
