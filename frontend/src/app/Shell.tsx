import { lazy, Suspense, useRef, useState } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigate, useNavigation } from "react-router";
import { PopupContainer } from "@/components/PopupContainer";
import { openParent, useShortcut, useShortcutKeys } from "@/components/shortcuts";
import { messages, withMessages } from "@/messages";
import { ConnectionBars } from "./ConnectionBars";
import { Header } from "./Header";
import { mainPages, type MainPage } from "./navigation";
import styles from "./Shell.module.css";
import { useArrival } from "./useArrival";

const t = messages("common");
const Commands = lazy(() => withMessages(import("./Commands")));
const ShortcutsDialog = lazy(() => withMessages(import("@/features/palette/ShortcutsDialog")));

/** The layout of every page: header, state of the connection, content. */
export function Shell() {
  const loading = useNavigation().state !== "idle";
  const shared = /^\/(shared\/?$|x\/)/.test(useLocation().pathname);
  const [open, setOpen] = useState<"search" | "shortcuts" | null>(null);
  const main = useRef<HTMLElement>(null);
  const popups = useRef<HTMLDivElement>(null);
  const title = useArrival(main);
  useShortcutKeys(!shared);
  useShortcut("mod+k", t("search"), () => setOpen("search"));
  useShortcut("?", t("shortcuts"), () => setOpen("shortcuts"));
  const close = () => setOpen(null);
  return (
    <PopupContainer value={popups}>
      <a className={styles.skip} href="#main" onClick={toContent}>
        {t("toContent")}
      </a>
      <header className={styles.header}>
        <Header shared={shared} onSearch={() => setOpen("search")} onShortcuts={() => setOpen("shortcuts")} />
        {loading && <div className={styles.loading} role="status" aria-label={t("loadingPage")} />}
      </header>
      <ConnectionBars />
      <main id="main" ref={main} className={styles.main} tabIndex={-1}>
        <Outlet />
        <div ref={popups} className={styles.popups} />
      </main>
      <div className="visually-hidden" role="status">
        {title}
      </div>
      {!shared && <PageShortcuts />}
      <Suspense fallback={null}>
        {open === "search" && <Commands onClose={close} />}
        {open === "shortcuts" && <ShortcutsDialog onClose={close} />}
      </Suspense>
      <ScrollRestoration />
    </PopupContainer>
  );
}

/** The shortcuts of every page: "u" opens the last link of the breadcrumb. */
function PageShortcuts() {
  const navigate = useNavigate();
  useShortcut("n", t("navNew"), () => void navigate("/new"));
  useShortcut("u", t("up"), openParent);
  return mainPages().map((page) => <GoTo key={page.to} page={page} />);
}

function GoTo({ page }: { page: MainPage }) {
  const navigate = useNavigate();
  useShortcut(page.keys, page.label, () => void navigate(page.to));
  return null;
}

/** Moves the focus to the content. Keeps the address: its fragment may be a share token. */
function toContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
