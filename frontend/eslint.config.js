import js from "@eslint/js";
import reactHooks from "eslint-plugin-react-hooks";
import globals from "globals";
import tseslint from "typescript-eslint";
import noImportCycle from "./eslint/no-import-cycle.js";

const FEATURES = [
  ...["access", "account", "device", "team", "administration", "start", "home", "studies", "library", "experiments", "hosts", "runs", "groups", "result", "trials"],
  ...["shares", "compare", "history", "schedules", "imports", "help", "palette", "report", "apidocs"],
];
/** Parts of a feature that other features may import: runs and shares show results. */
const SHARED_PARTS = {
  runs: [
    "@/features/result/answer",
    "@/features/result/AnswerHead",
    "@/features/result/ResultView",
    "@/features/result/CellFigures",
    "@/features/result/jointImage",
  ],
  shares: ["@/features/result/AnswerHead", "@/features/result/ResultView"],
};

/** Forbids imports that match the groups, and relative imports of other folders. */
function forbid(groups, message) {
  return {
    "no-restricted-imports": [
      "error",
      {
        patterns: [
          { group: ["../*"], message: "Import other folders by '@/…'." },
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
      "@typescript-eslint/no-deprecated": "error",
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    // Generated from the server's texts, one line for each, and its translation.
    files: ["src/messages/{en,zh}/{catalog,reasons,warnings}.ts"],
    rules: { "max-lines": "off" },
  },
  // app → features → charts → components → api and theme → messages: each layer imports only from the layers after it.
  { files: ["src/app/**", "src/main.tsx"], rules: forbid([], "") },
  ...FEATURES.map((feature) => ({
    files: [`src/features/${feature}/**`],
    rules: forbid(
      [
        "@/app/*",
        ...FEATURES.filter((other) => other !== feature).map((other) => `@/features/${other}/*`),
        ...(SHARED_PARTS[feature] ?? []).map((part) => `!${part}`),
      ],
      "A feature imports neither the app nor another feature, except SHARED_PARTS.",
    ),
  })),
  { files: ["src/charts/**"], rules: forbid(["@/app/*", "@/features/*"], "Charts import no feature.") },
  {
    files: ["src/components/**"],
    rules: forbid(["@/app/*", "@/features/*", "@/charts/*"], "Components import no feature and no chart."),
  },
  {
    files: ["src/api/**", "src/theme/**"],
    rules: forbid(["@/app/*", "@/features/*", "@/charts/*", "@/components/*"], "API and theme import no component."),
  },
  {
    files: ["src/messages/**"],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ group: ["@/*", "!@/messages", "!@/messages/*"], message: "Messages import no other folder." }] }],
    },
  },
  // Test data have every field of an answer, deprecated ones too.
  { files: ["src/testing/**", "src/**/*.test.ts", "src/**/*.test.tsx"], rules: { "@typescript-eslint/no-deprecated": "off" } },
  {
    files: ["src/**/*.test.ts", "src/**/*.test.tsx"],
    ignores: ["src/**/*.isolated.test.*"],
    rules: {
      "no-restricted-syntax": [
        "error",
        { selector: "CallExpression[callee.object.name='vi'][callee.property.name=/^(mock|doMock|unmock|resetModules)$/]", message: "Test files share their modules: name this one *.isolated.test." },
      ],
    },
  },
  {
    files: ["**/*.js", "*.config.ts"],
    ...tseslint.configs.disableTypeChecked,
    rules: { ...tseslint.configs.disableTypeChecked.rules, "plimsoll/no-import-cycle": "off" },
  },
  { files: ["*.js", "eslint/*.js", "*.config.ts"], languageOptions: { globals: globals.node } },
);
