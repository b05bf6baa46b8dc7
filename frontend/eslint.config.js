import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";

const FEATURES = ["start", "experiments", "hosts", "runs", "trials", "shares", "compare", "imports", "help"];

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
      parserOptions: { projectService: { allowDefaultProject: ["eslint.config.js", "public/*.js"] }, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
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
      ["@/app/*", ...FEATURES.filter((other) => other !== feature).map((other) => `@/features/${other}/*`)],
      "A feature imports neither the app nor another feature.",
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
  },
  { files: ["*.js", "*.config.ts"], languageOptions: { globals: globals.node } },
);
