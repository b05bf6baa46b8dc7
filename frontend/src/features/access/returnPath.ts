/** The page of this origin that a sign-in returns to, from the address `/sign-in?to=…`; null if it names none. */
export function returnPath(): string | null {
  const to = new URLSearchParams(window.location.search).get("to");
  return to !== null && /^\/(?![/\\])[!-[\]-~]{0,500}$/.test(to) && !to.startsWith("/sign-in") ? to : null;
}
