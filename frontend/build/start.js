/* global PRELOADS */
// Requests what the page of this address needs, beside the first script, which would request it only after it was loaded
// and run. `api/requestedEarly.ts` takes the answers.
{
  const kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null; // storage is switched off
    }
  };
  const { pathname, search } = location;
  const isOpen = /^\/(shared|x|sign-in|invitation)(\/|$)/.test(pathname);
  const [, runId] = /^\/runs\/(\w+)\/?$/.exec(pathname) ?? [];
  const answers = {};
  const request = (path) => (answers[`${location.origin}/api/v1${path}`] = fetch(`/api/v1${path}`, { headers: { Accept: "application/json" } }));
  const paths = ["/session"];
  if (runId) paths.push(`/runs/${runId}`, `/runs/${runId}/matrix`);
  if (pathname === "/") {
    const host = new URLSearchParams(search).get("host") || kept("plimsoll home host");
    paths.push(host ? `/home?host=${encodeURIComponent(host)}` : "/home", "/presets");
  }
  if (pathname === "/new") paths.push("/factors", "/presets", "/hosts", "/usage");
  if (!isOpen) {
    // A failure is shown by the page, which then requests it itself.
    for (const path of paths) request(path).catch(() => undefined);
    if (runId)
      answers[`${location.origin}/api/v1/runs/${runId}`]
        .then((answer) => answer.clone().json())
        // The result of a run in progress comes after its matrix: it takes the server longer.
        .then(({ state }) => ["done", "cancelled", "incomplete"].includes(state) && request(`/runs/${runId}/result`).catch(() => undefined))
        .catch(() => undefined);
    window.requestedEarly = answers;
  }

  // The build replaces the table: files, those of each language, and of each address.
  const { files, languages, addresses } = PRELOADS;
  const ofBrowser = (navigator.languages ?? [navigator.language]).find((tag) => /^(en|zh)\b/i.test(tag)) ?? "en";
  const language = ["en", "zh"].find((each) => each === kept("plimsoll.language")) ?? ofBrowser.slice(0, 2).toLowerCase();
  const found = addresses.find(([pattern]) => new RegExp(pattern).test(pathname))?.[1] ?? {};
  for (const at of new Set([...(found.all ?? []), ...(languages[language] ?? []), ...(found[language] ?? [])])) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = files[at];
    document.head.append(link);
  }
}
