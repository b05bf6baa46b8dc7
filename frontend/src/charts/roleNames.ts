/** The names of the CPU roles. */
import { messages } from "@/messages";
import type { RoleName } from "@/theme/palette";

const t = messages("charts");

export function roleName(role: RoleName): string {
  const names = {
    client: t("roleClient"),
    server: t("roleServer"),
    proxy: t("roleProxy"),
    kernel: t("roleKernel"),
    other: t("roleOther"),
    unattributed: t("roleUnattributed"),
    steal: t("roleSteal"),
    idle: t("roleIdle"),
  };
  return names[role];
}
