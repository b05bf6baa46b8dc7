/** An ESLint rule: no file imports itself through other files, types included. Dynamic imports, as of routes, are no part of it. */
import ts from "typescript";

const imports = new WeakMap();

/** The files of the project that a file imports. */
function importsOf(program, file) {
  if (!imports.has(file)) {
    const checker = program.getTypeChecker();
    const specifiers = file.statements.flatMap((each) => ((ts.isImportDeclaration(each) || ts.isExportDeclaration(each)) && each.moduleSpecifier) || []);
    const modules = specifiers.flatMap((each) => checker.getSymbolAtLocation(each)?.valueDeclaration ?? []);
    imports.set(file, modules.filter((each) => ts.isSourceFile(each) && !each.isDeclarationFile));
  }
  return imports.get(file);
}

/** The shortest way from a file back to itself; null where there is none. */
function cycleOf(program, start) {
  const ways = importsOf(program, start).map((file) => [file]);
  const seen = new Set();
  for (const way of ways) {
    const last = way.at(-1);
    if (last === start) return way;
    if (seen.has(last)) continue;
    seen.add(last);
    ways.push(...importsOf(program, last).map((file) => [...way, file]));
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
