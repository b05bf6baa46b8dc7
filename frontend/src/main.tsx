import { createRoot } from "react-dom/client";
import { requestAhead } from "@/app/ahead";
import { App } from "@/app/App";
import { ready } from "@/messages";
import { languageTag } from "@/messages/language";
import "@/theme/global.css";

const root = document.getElementById("root");
document.documentElement.lang = languageTag();
requestAhead(window.location.pathname, window.location.search);
void ready().then(() => {
  if (root) createRoot(root).render(<App />);
});
