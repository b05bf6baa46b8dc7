import { i18n, messages } from "@/messages";
import { sentenceCase } from "./format";

const t = messages("actions");

/** Returns the name of an action of the audit log: "Start run" for "startRun". An unknown one is shown as its words. */
export function actionName(action: string): string {
  if (i18n.exists(action, { ns: "actions" })) return t(action as Parameters<typeof t>[0]);
  return sentenceCase(action.replace(/([a-z0-9])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`));
}
