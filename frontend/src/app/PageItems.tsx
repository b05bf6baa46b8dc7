import { useLocation } from "react-router";
import { MenuLink } from "@/components/Menu";
import { mainPages } from "./navigation";

/** The main pages as items of a menu. */
export function PageItems() {
  const { pathname } = useLocation();
  return mainPages().map(({ to, label }) => (
    <MenuLink key={to} to={to} current={to === "/" ? pathname === "/" : pathname === to || pathname.startsWith(`${to}/`)}>
      {label}
    </MenuLink>
  ));
}

export default PageItems;
