import { useSyncExternalStore } from "react";
import { Link, NavLink, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { connection, onConnectionChange } from "@/api/connection";
import { AccountMenu } from "@/features/access/AccountMenu";
import { Toggle } from "@/components/Toggle";
import { messages, ready } from "@/messages";
import { chooseLanguage, LANGUAGES, useLanguage } from "@/messages/language";
import { useTheme, type Theme } from "@/theme/useTheme";
import styles from "./Shell.module.css";
import { useShortcuts } from "./useShortcuts";

const t = messages("common");

const themes = (): { value: Theme; label: string; title: string }[] => [
  { value: "system", label: t("themeAuto"), title: t("themeAutoTitle") },
  { value: "light", label: t("themeLight"), title: t("themeLight") },
  { value: "dark", label: t("themeDark"), title: t("themeDark") },
];

/** The layout of every page: header, connection alert, content. */
export function Shell() {
  const [theme, choose] = useTheme();
  const language = useLanguage();
  const lost = useSyncExternalStore(onConnectionChange, connection) === "lost";
  const loading = useNavigation().state !== "idle";
  const shared = /^\/(shared\/?$|x\/)/.test(useLocation().pathname);
  useShortcuts(!shared);
  return (
    <>
      <a className={styles.skip} href="#main" onClick={toContent}>
        {t("toContent")}
      </a>
      <header className={styles.header}>
        <div className={styles.inner}>
          {shared ? <Brand /> : <Link to="/" className={styles.brand} aria-label={t("homeLink")}><Brand /></Link>}
          {!shared && (
            <nav aria-label={t("mainNavigation")} className={styles.nav}>
              <NavLink to="/" end>{t("navHome")}</NavLink>
              <NavLink to="/library">{t("navLibrary")}</NavLink>
              <NavLink to="/new">{t("navNew")}</NavLink>
              <NavLink to="/compare">{t("navCompare")}</NavLink>
              <NavLink to="/histories">{t("navHistory")}</NavLink>
              <NavLink to="/hosts">{t("navHosts")}</NavLink>
              <NavLink to="/links">{t("navLinks")}</NavLink>
              <NavLink to="/help">{t("navHelp")}</NavLink>
            </nav>
          )}
          <div className={styles.end}>
            {!shared && <AccountMenu />}
            <Toggle label={t("theme")} options={themes()} value={theme} onChange={choose} />
            <Toggle label={t("language")} options={LANGUAGES} value={language} onChange={(to) => void chooseLanguage(to, ready)} />
          </div>
        </div>
        {loading && <div className={styles.loading} role="status" aria-label={t("loadingPage")} />}
      </header>
      {!isEncrypted() && (
        <div className={styles.alert} role="note" aria-label={t("connection")}>
          <span>
            <strong>{t("notEncrypted")}</strong> {t("notEncryptedText")}
          </span>
        </div>
      )}
      {lost && (
        <div className={styles.alert} role="alert">
          <span>
            <strong>{t("connectionLost")}</strong> {t("connectionLostText")}
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
