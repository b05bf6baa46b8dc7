// Every catalogue is loaded before the tests, as the page's modules load theirs.
import { addMessages } from "@/messages";

const files = import.meta.glob<{ default: Record<string, string> }>("../messages/{en,zh}/*.ts", { eager: true });
for (const [path, { default: catalog }] of Object.entries(files)) {
  const [, to, namespace] = /\/(en|zh)\/(\w+)\.ts$/.exec(path) ?? [];
  if ((to === "en" || to === "zh") && namespace) addMessages(to, namespace, catalog);
}
