/** An ESLint rule against import cycles, type imports included. Dynamic imports, as in routes, are ignored. */
import ts from "typescript";

const imports = new WeakMap();

/** Returns the files of the project that a file imports. */
function importsOf(program, file) {
  if (!imports.has(file)) {
    const checker = program.getTypeChecker();
    const specifiers = file.statements.flatMap((each) => ((ts.isImportDeclaration(each) || ts.isExportDeclaration(each)) && each.moduleSpecifier) || []);
    const modules = specifiers.flatMap((each) => checker.getSymbolAtLocation(each)?.valueDeclaration ?? []);
    imports.set(file, modules.filter((each) => ts.isSourceFile(each) && !each.isDeclarationFile));
  }
  return imports.get(file);
}

/** Returns the shortest import cycle through a file, or null. */
function cycleOf(program, start) {
  const routes = importsOf(program, start).map((file) => [file]);
  const seen = new Set();
  for (const route of routes) {
    const last = route.at(-1);
    if (last === start) return route;
    if (seen.has(last)) continue;
    seen.add(last);
    routes.push(...importsOf(program, last).map((file) => [...route, file]));
  }
  return null;
}

export default {
  meta: { type: "problem", schema: [], messages: { cycle: "Import cycle: {{files}}." } },
  create(context) {
    return {
      Program(node) {
        const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
        const cycle = cycleOf(program, esTreeNodeToTSNodeMap.get(node));
        if (cycle) context.report({ node, messageId: "cycle", data: { files: cycle.map(({ fileName }) => fileName.replace(/^.*\/src\//, "")).join(" → ") } });
      },
    };
  },
};
