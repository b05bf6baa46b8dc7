// How the tests of the page run; the page is built without their tools.
import { configDefaults, defineConfig, mergeConfig } from "vitest/config";
import page from "./vite.config";

const TESTS = "src/**/*.test.{ts,tsx}";
/** Tests that replace modules, see a part before its code is loaded, or open menus and completion lists, whose library
 * keeps the window it first saw. ESLint allows `vi.mock` in these only. */
const ISOLATED = "src/**/*.isolated.test.{ts,tsx}";
const IN_WINDOW = { environment: "jsdom", setupFiles: ["src/testing/patience.ts", "src/testing/messages.ts", "src/testing/openedPage.ts"] };

export default mergeConfig(
  page,
  defineConfig({
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
        { extends: true, test: { name: "tools", include: ["*.test.ts", "build/*.test.ts"] } },
      ],
    },
  }),
);
