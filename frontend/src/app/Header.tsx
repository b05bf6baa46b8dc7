import { lazy } from "react";
import { Link, NavLink } from "react-router";
import { Button } from "@/components/Button";
import { MenuButton } from "@/components/MenuButton";
import { keysText } from "@/components/shortcuts";
import { AccountMenu } from "@/features/access/AccountMenu";
import { messages, withMessages } from "@/messages";
import { mainPages } from "./navigation";
import styles from "./Shell.module.css";

const t = messages("common");
const DisplayChoices = lazy(() => withMessages(import("./DisplayChoices")));
const PageItems = lazy(() => withMessages(import("./PageItems")));

/** The header of every page; a shared result has no navigation. */
export function Header({ shared, onSearch, onShortcuts }: { shared: boolean; onSearch: () => void; onShortcuts: () => void }) {
  if (shared)
    return (
      <div className={styles.inner}>
        <Brand />
        <div className={styles.end}>
          <Display />
        </div>
      </div>
    );
  return (
    <div className={styles.inner}>
      <Link to="/" className={styles.brand} aria-label={t("homeLink")}>
        <Brand />
      </Link>
      <nav aria-label={t("mainNavigation")} className={styles.nav}>
        {mainPages().map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === "/"}>
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={styles.end}>
        <span className={styles.narrow}>
          <NarrowNavigation />
        </span>
        <Button kind="ghost" onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
          <SearchIcon />
          <span className={styles.searchText}>{t("search")}</span>
          <kbd className={styles.searchKeys} aria-hidden="true">{keysText("mod+k")}</kbd>
        </Button>
        <AccountMenu display={<DisplayChoices />} onShortcuts={onShortcuts} otherwise={<Display />} />
      </div>
    </div>
  );
}

/** The choices of theme and language where there is no account. */
const Display = () => (
  <MenuButton button={t("display")}>
    <DisplayChoices />
  </MenuButton>
);

/** The navigation of narrow windows. */
const NarrowNavigation = () => (
  <MenuButton button={<span aria-hidden="true">☰</span>} label={t("menu")}>
    <PageItems />
  </MenuButton>
);

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

const SearchIcon = () => (
  <svg width={15} height={15} viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentcolor" strokeWidth={1.8}>
    <circle cx={7} cy={7} r={4.6} />
    <path d="M10.5 10.5L14.5 14.5" />
  </svg>
);
