import { useSyncExternalStore } from "react";
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { connection, onConnectionChange } from "@/api/connection";
import { AccountMenu } from "@/features/access/AccountMenu";
import { Toggle } from "@/components/Toggle";
import { useTheme, type Theme } from "@/theme/useTheme";
import styles from "./Shell.module.css";
import { useShortcuts } from "./useShortcuts";

const THEMES: readonly { value: Theme; label: string; title: string }[] = [
  { value: "system", label: "Auto", title: "Follow the system" },
  { value: "light", label: "Light", title: "Light" },
  { value: "dark", label: "Dark", title: "Dark" },
];

/** The layout of every page: header, connection alert, content. */
export function Shell() {
  const [theme, choose] = useTheme();
  const lost = useSyncExternalStore(onConnectionChange, connection) === "lost";
  const loading = useNavigation().state !== "idle";
  const shared = /^\/(shared\/?$|x\/)/.test(useLocation().pathname);
  useShortcuts(!shared);
  return (
    <>
      <a className={styles.skip} href="#main" onClick={toContent}>
        To the content
      </a>
      <header className={styles.header}>
        <div className={styles.inner}>
          {shared ? <Brand /> : <Link to="/" className={styles.brand} aria-label="Plimsoll, start"><Brand /></Link>}
          {!shared && (
            <nav aria-label="Main" className={styles.nav}>
              <NavLink to="/" end>Start</NavLink>
              <NavLink to="/new">New experiment</NavLink>
              <NavLink to="/compare">Compare</NavLink>
              <NavLink to="/hosts">Hosts</NavLink>
              <NavLink to="/links">Links</NavLink>
              <NavLink to="/help">Help</NavLink>
            </nav>
          )}
          <div className={styles.end}>
            {!shared && <AccountMenu />}
            <Toggle label="Theme" options={THEMES} value={theme} onChange={choose} />
          </div>
        </div>
        {loading && <div className={styles.loading} role="status" aria-label="Loading the page" />}
      </header>
      {!isEncrypted() && (
        <div className={styles.alert} role="note" aria-label="Connection">
          <span>
            <strong>Not encrypted.</strong> Others on the network can read and change what this page shows and sends, passwords and tokens too. An administrator can set up https.
          </span>
        </div>
      )}
      {lost && (
        <div className={styles.alert} role="alert">
          <span>
            <strong>Connection lost.</strong> Plimsoll does not answer; the page retries every two seconds. The page may be out of date.
          </span>
        </div>
      )}
      <main id="main" className={styles.main} tabIndex={-1}>
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  );
}

/** Whether the page came by https or from this machine. Browsers without this property count as encrypted. */
function isEncrypted(): boolean {
  return window.isSecureContext !== false;
}

/** Moves the focus to the content. Keeps the address: its fragment may be a share token. */
function toContent(event: React.MouseEvent): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function Brand() {
  return (
    <span className={styles.brandMark}>
      <svg width={24} height={20} viewBox="0 0 24 20" aria-hidden="true">
        <circle cx={12} cy={10} r={6.6} fill="none" stroke="currentcolor" strokeWidth={2.4} />
        <path d="M0 10H24" stroke="currentcolor" strokeWidth={2.4} />
      </svg>
      <span>Plimsoll</span>
    </span>
  );
}
