// Test files share one window and the page's modules: each one starts with the state of a page that was just opened.
import { act, cleanup, renderHook } from "@testing-library/react";
import { vi } from "vitest";
import { connectionFound } from "@/api/connection";
import { remembered } from "@/api/session";
import { useShortcutsOn } from "@/components/shortcuts";
import { ready } from "@/messages";
import { chooseLanguage } from "@/messages/language";

vi.useRealTimers();
vi.unstubAllGlobals();
cleanup();

connectionFound();
remembered({ csrf_token: null });
const shortcuts = renderHook(useShortcutsOn);
act(() => shortcuts.result.current[1](true));
cleanup();
await chooseLanguage("en", ready);

localStorage.clear();
sessionStorage.clear();
window.history.replaceState(null, "", "/");
document.title = "";
document.documentElement.removeAttribute("data-theme");
document.documentElement.removeAttribute("lang");
document.body.replaceChildren();
// jsdom has no dialogs: tests that need them add these.
for (const name of ["show", "showModal", "close"]) Reflect.deleteProperty(HTMLDialogElement.prototype, name);
