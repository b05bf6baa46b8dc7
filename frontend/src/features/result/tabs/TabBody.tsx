import { onDemand } from "@/components/onDemand";
import { withMessages } from "@/messages";

/** The content of a tab: its code is loaded after the chart above the tabs. */
export const TabBody = onDemand(
  async () => (await withMessages(import("@/features/result/ResultTab"))).ResultTab,
);
