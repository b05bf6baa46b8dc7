import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { configDefaults, defineConfig } from "vitest/config";

const TESTS = "src/**/*.test.{ts,tsx}";
/** Tests that replace modules, see a part before its code is loaded, or open menus and completion lists, whose library
 * keeps the window it first saw. ESLint allows `vi.mock` in these only. */
const ISOLATED = "src/**/*.isolated.test.{ts,tsx}";
const IN_WINDOW = { environment: "jsdom", setupFiles: ["src/testing/patience.ts", "src/testing/messages.ts", "src/testing/openedPage.ts"] };

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    // light-dark() is used as it is: lowering it would double the palette.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The content security policy allows no data: URL but images.
    assetsInlineLimit: 0,
  },
  server: { proxy: { "/api": "http://127.0.0.1:8420", "/healthz": "http://127.0.0.1:8420" } },
  test: {
    css: { modules: { classNameStrategy: "non-scoped" } },
    // Only ends what hangs: no test may fail because the machine is slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: "100%",
    // One process per CPU. Tests of the page share its window and the modules that were loaded:
    // `openedPage` resets both.
    projects: [
      { extends: true, test: { name: "page", ...IN_WINDOW, include: [TESTS], exclude: [...configDefaults.exclude, ISOLATED], isolate: false } },
      { extends: true, test: { name: "isolated", ...IN_WINDOW, include: [ISOLATED] } },
      { extends: true, test: { name: "tools", include: ["*.test.ts"] } },
    ],
  },
});
