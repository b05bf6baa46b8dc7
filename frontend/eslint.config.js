import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";
import noImportCycle from "./eslint/no-import-cycle.js";

const FEATURES = ["start", "experiments", "hosts", "runs", "result", "trials", "shares", "compare", "imports", "help"];
/** The parts of a feature that other features show: runs and share links show results. */
const SHARED_PARTS = {
  runs: ["@/features/result/ResultView", "@/features/result/CellFigures"],
  shares: ["@/features/result/ResultView"],
};

/** Forbids imports that match the groups, next to "../": other folders are named by "@/". */
function forbid(groups, message) {
  return {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: ["../*"], message: "Name other folders by '@/…'." },
          ...(groups.length ? [{ group: groups, message }] : []),
        ],
      },
    ],
  };
}

export default tseslint.config(
  { ignores: ["dist", "src/api/generated"] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  reactHooks.configs.flat.recommended,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js", "eslint/*.js", "public/*.js"] }, tsconfigRootDir: import.meta.dirname },
    },
    plugins: { plimsoll: { rules: { "no-import-cycle": noImportCycle } } },
    rules: {
      "plimsoll/no-import-cycle": "error",
      "max-lines": ["error", { max: 250 }],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  // app → features → charts → components → api and theme: each imports only what stands after it.
  { files: ["src/app/**", "src/main.tsx"], rules: forbid([], "") },
  ...FEATURES.map((feature) => ({
    files: [`src/features/${feature}/**`],
    rules: forbid(
      [
        "@/app/*",
        ...FEATURES.filter((other) => other !== feature).map((other) => `@/features/${other}/*`),
        ...(SHARED_PARTS[feature] ?? []).map((part) => `!${part}`),
      ],
      "A feature imports neither the app nor another feature, except for SHARED_PARTS.",
    ),
  })),
  { files: ["src/charts/**"], rules: forbid(["@/app/*", "@/features/*"], "Charts are shared: they import no feature.") },
  {
    files: ["src/components/**"],
    rules: forbid(["@/app/*", "@/features/*", "@/charts/*"], "Components are shared: they import no feature and no chart."),
  },
  {
    files: ["src/api/**", "src/theme/**"],
    rules: forbid(["@/app/*", "@/features/*", "@/charts/*", "@/components/*"], "API and theme import no component."),
  },
  {
    files: ["**/*.js", "*.config.ts"],
    ...tseslint.configs.disableTypeChecked,
    rules: { ...tseslint.configs.disableTypeChecked.rules, "plimsoll/no-import-cycle": "off" },
  },
  { files: ["*.js", "eslint/*.js", "*.config.ts"], languageOptions: { globals: globals.node } },
);
