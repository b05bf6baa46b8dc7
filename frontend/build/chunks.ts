/** Which modules are one file of the build: few files for each page, and none that a page loads for a small part of it. */

/** The messages that are needed together, by namespace. */
const MESSAGES: Record<string, readonly string[]> = {
  first: ["access", "actions", "common", "home", "problems", "states", "waits"],
  result: ["answer", "charts", "library", "result", "runs"],
  /** What the server says in English: other languages need all of it. */
  server: ["betweenRuns", "catalog", "labels", "reasons", "refusals", "warnings"],
  form: ["editor", "experiments", "planBar"],
};

/** The English messages that another language needs, too: see messages/index.ts. */
const TEMPLATES: readonly string[] = ["catalog", "labels"];

/** The name of the file that has a catalogue: those of a language that are needed together are one file. */
function messagesFile(id: string): string | null {
  const [, language, namespace = ""] = /\/messages\/(en|zh)\/(\w+)\.ts$/.exec(id) ?? [];
  if (!language) return null;
  if (language === "en" && TEMPLATES.includes(namespace)) return "messages-templates-en";
  const found = Object.entries(MESSAGES).find(([, namespaces]) => namespaces.includes(namespace));
  return found ? `messages-${found[0]}-${language}` : null;
}

/** In the order in which modules are taken, each with what it imports. */
const IN_ORDER = [
  { name: messagesFile },
  { name: "first", tags: ["$initial" as const] },
  { name: "libraries", test: /node_modules\/(use-sync-external-store|reselect)\// },
  {
    name: "popups",
    test: /node_modules\/(@floating-ui\/|@base-ui\/react\/(?!.*(menu|combobox|autocomplete)))|\/popup\.module\.css/,
  },
  { name: "menus", test: /@base-ui\/react\/.*menu|\/src\/components\/Menu(Popup)?\.tsx/ },
  { name: "comboboxes", test: /@base-ui\/|\/src\/components\/(Combobox|Autocomplete)\.tsx/ },
  { name: "recharts", test: /node_modules\/recharts\// },
  { name: "yaml", test: /node_modules\/yaml\// },
  { name: "virtual", test: /node_modules\/@tanstack\/(react-)?virtual/ },
  {
    name: "parts",
    test: /\/src\/(api|components|messages|theme)\/(?!Yaml|yaml|useDefinition)/,
    minShareCount: 2,
  },
  { name: "yamlEditor", test: /\/src\/components\/(yaml\w*|YamlEditor)\.tsx?$/, minShareCount: 2 },
  {
    name: "joint",
    test: /\/src\/(charts\/(joint\/|ChartFrame)|features\/result\/(ResultView|AnswerHead))/,
  },
  { name: "plots", test: /\/src\/charts\//, minShareCount: 2 },
];

export const chunkGroups = IN_ORDER.map((group, place) => ({
  ...group,
  priority: IN_ORDER.length - place,
}));
