/**
 * Fails when a test waits for a fixed time. Such a test is as slow as its longest guess, and fails on a machine that is
 * slower than the guess.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const TIMERS = new Set(['timers/promises', 'node:timers/promises']);
/** Where a wait may stand, with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'test/support/delay.ts': 'the one function for what must take time',
  'test/support/network.ts': 'messages between two services of one process are as late as those between processes',
  'test/support/event-client-child.mjs': 'a client in a process of its own, which pauses before it connects again',
};
const ADVICE = `Wait for what is to happen instead: expect.poll, vi.waitFor or vi.waitUntil end as soon as it has happened. For a time that
the service measures, give it a clock (startNetwork takes one) or a shorter time (its \`timings\`, or an option of the
module). For what must not happen, wait for something that happens later. If time itself is what the test is about (a double
that answers late, a client that pauses), call delay of test/support/delay.ts.`;

/** Names by which a file calls `setTimeout` of timers/promises, and under which it has the whole module. */
const importedNames = (file: ts.SourceFile): { readonly waits: Set<string>; readonly modules: Set<string> } => {
  const waits = new Set<string>();
  const modules = new Set<string>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    if (!TIMERS.has(statement.moduleSpecifier.text)) continue;
    const { name, namedBindings } = statement.importClause ?? {};
    if (name) modules.add(name.text);
    if (namedBindings === undefined) continue;
    if (ts.isNamespaceImport(namedBindings)) modules.add(namedBindings.name.text);
    else
      for (const one of namedBindings.elements)
        if ((one.propertyName ?? one.name).text === 'setTimeout') waits.add(one.name.text);
  }
  return { waits, modules };
};

const isNamed = (node: ts.Node, name: string): boolean => ts.isIdentifier(node) && node.text === name;

/** @returns whether a call is one of the global `setTimeout`, also as a member of `globalThis` */
const isTimer = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (isNamed(node.expression, 'setTimeout') ||
    (ts.isPropertyAccessExpression(node.expression) &&
      isNamed(node.expression.expression, 'globalThis') &&
      node.expression.name.text === 'setTimeout'));

const contains = (node: ts.Node, name: string): boolean =>
  isNamed(node, name) || (ts.forEachChild(node, (child) => contains(child, name) || undefined) ?? false);

/** @returns whether all that a promise does is to resolve after a time; one that rejects limits how long others may take */
const isOnlyTimed = (node: ts.NewExpression): boolean => {
  const [executor] = node.arguments ?? [];
  if (executor === undefined || !(ts.isArrowFunction(executor) || ts.isFunctionExpression(executor))) return false;
  const { body } = executor;
  const resolve = executor.parameters[0]?.name;
  if (resolve === undefined || !ts.isIdentifier(resolve) || !contains(body, resolve.text)) return false;
  if (!ts.isBlock(body)) return isTimer(body) || (ts.isVoidExpression(body) && isTimer(body.expression));
  const [only, ...more] = body.statements;
  return more.length === 0 && only !== undefined && ts.isExpressionStatement(only) && isTimer(only.expression);
};

/** @param name shown in the messages @param text of a file @returns a line for each fixed wait in it */
export const fixedWaits = (name: string, text: string): string[] => {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const { waits, modules } = importedNames(file);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isWait =
      ts.isCallExpression(node) &&
      ((ts.isIdentifier(node.expression) && waits.has(node.expression.text)) ||
        (ts.isPropertyAccessExpression(node.expression) &&
          ts.isIdentifier(node.expression.expression) &&
          modules.has(node.expression.expression.text) &&
          node.expression.name.text === 'setTimeout'));
    if (isWait || (ts.isNewExpression(node) && isNamed(node.expression, 'Promise') && isOnlyTimed(node))) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1}: ${node.getText().split('\n', 1)[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

const root = fileURLToPath(new URL('..', import.meta.url));

const filesOfTests = (): string[] =>
  ['src', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter(
        (name) => /\.m?ts$|\.mjs$/.test(name) && !name.endsWith('.long.test.ts') && !name.includes('node_modules'),
      )
      .filter((name) => name.endsWith('.test.ts') || name.startsWith(join('test', 'support'))),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = filesOfTests()
    .filter((name) => !(name in ALLOWED))
    .flatMap((name) => fixedWaits(name, readFileSync(join(root, name), 'utf8')));
  if (problems.length > 0) {
    console.error(`These tests wait for a fixed time:\n${problems.join('\n')}\n\n${ADVICE}`);
    process.exitCode = 1;
  }
}
