import { createRoot } from "react-dom/client";
import { App } from "@/app/App";
import { ready } from "@/messages";
import { languageTag } from "@/messages/language";
import "@/theme/global.css";

const root = document.getElementById("root");
document.documentElement.lang = languageTag();
void ready().then(() => {
  if (root) createRoot(root).render(<App />);
});
