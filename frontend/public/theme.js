// Sets the chosen theme before the first paint; "system" leaves it to the browser.
try {
  const theme = localStorage.getItem("plimsoll.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is refused: the system's theme holds.
}
