import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnyStatement, registeredStatements } from '../../src/db/statement.js';

const STORE = fileURLToPath(new URL('../../src/store/', import.meta.url));

/** @returns the modules of the store, each after those that it imports, so that each statement belongs to one of them */
const modulesInOrder = (): string[] => {
  const ordered = new Set<string>();
  const visit = (file: string): void => {
    if (ordered.has(file)) return;
    for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?!import type)[^\n]* from '(\.[^']+)\.js';/gm)) {
      const imported = `${resolve(file, '..', path as string)}.ts`;
      if (imported.startsWith(STORE)) visit(imported);
    }
    ordered.add(file);
  };
  const names = readdirSync(STORE, { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts')).sort())
    visit(join(STORE, name));
  return [...ordered];
};

/** @returns all statements of the store by module, as `access/app` */
export const loadStatements = async (): Promise<ReadonlyMap<string, readonly AnyStatement[]>> => {
  const modules = new Map<string, readonly AnyStatement[]>();
  for (const file of modulesInOrder()) {
    const before = new Set(registeredStatements());
    const name = relative(STORE, file).replace(/\.ts$/, '');
    // Relative, so that a flow test gets the module of the build, as for every other import.
    await import(/* @vite-ignore */ `../../src/store/${name}.js`);
    const own = registeredStatements().filter((statement) => !before.has(statement));
    if (own.length > 0) modules.set(name, own);
  }
  return modules;
};
