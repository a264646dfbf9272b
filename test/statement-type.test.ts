import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Describer, openDescriber } from '../scripts/describe-statement.js';
import { type Known, renderStatementTypes } from '../scripts/statement-type.js';
import { parseStatementText } from '../src/db/statement-text.js';

let describer: Describer;
beforeAll(async () => {
  describer = await openDescriber();
});
afterAll(() => describer.close());

/** @returns what the generator writes of a statement with the name `sample` */
const typesOf = async (source: string, refined: Known['refined'] = new Set()): Promise<string> => {
  const description = await describer.describe(parseStatementText(source).text);
  const known = { ...describer, refined };
  return renderStatementTypes([{ name: 'sample', source, first: 1, description }], known);
};

/** @returns the codes of the errors of each program that uses the types of `source` as the functions of the store do */
const errorsOf = async (source: string, uses: readonly string[]): Promise<number[][]> => {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-statement-type-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const types = (await typesOf(source)).replaceAll(/^import type .*$/gm, '');
  const files = uses.map((use, index) => {
    const file = join(folder, `use-${index}.ts`);
    const before = `
      type NoParams = object;
      type Sample = StatementTypes['sample'];
      declare const send: (params: Sample['params']) => Sample['row'];`;
    writeFileSync(file, `${types}${before}\n${use}`);
    return file;
  });
  const program = ts.createProgram(files, { strict: true, noEmit: true, types: [], lib: ['lib.es5.d.ts'] });
  return files.map((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)).map(({ code }) => code));
};

test('what disagrees with the statement does not compile', async () => {
  const source = 'select fid, username from account where fid = :fid and username is distinct from :but?::text';
  const errors = {
    'const { fid, username } = send({ fid: 3, but: null }); const text: string = username ?? String(fid + 1);': [],
    // A column that it does not return.
    'send({ fid: 3, but: null }).display_name;': [2339],
    // A parameter of another type, one that is null, one that is missing, and one that it does not have.
    "send({ fid: '3', but: null });": [2322],
    'send({ fid: null, but: null });': [2322],
    'send({ fid: 3 });': [2345],
    'send({ fid: 3, but: null, name: null });': [2353],
    // A column that may be null where a value is needed.
    'const { username } = send({ fid: 3, but: null }); username.length;': [18047],
  };
  const uses = Object.keys(errors);
  const found = await errorsOf(source, uses);
  expect(Object.fromEntries(uses.map((use, index) => [use, found[index]]))).toEqual(errors);
});

describe('a column may be null', () => {
  const rowOf = async (source: string) => /row: \{ (.*) \};/.exec(await typesOf(source))?.[1];

  test('if its table says so, or it is computed', async () => {
    expect(await rowOf('select fid, bio, score + 1 as more from account')).toBe(
      'fid: number; bio: string | null; more: number | null',
    );
  });

  test('if it is behind an outer join, also one of a subquery', async () => {
    expect(await rowOf('select a.fid, b.hash from account a left join block b on b.fid = a.fid')).toBe(
      'fid: number; hash: Buffer | null',
    );
    expect(await rowOf('select x.fid from ban b left join (select fid from account) x on x.fid = b.fid')).toBe(
      'fid: number | null',
    );
    expect(await rowOf('select a.fid, b.app_id as "appId" from account a right join ban b on b.fid = a.fid')).toBe(
      'fid: number | null; appId: string | null',
    );
  });

  test('or not, as its mark says', async () => {
    expect(await rowOf('select count(*) as "count!", fid as "fid?" from account group by fid')).toBe(
      'count: number; fid: number | null',
    );
  });
});

test('a parameter may be null if an insert writes it into a column that may be', async () => {
  expect(
    await typesOf('insert into block (fid, blocked_fid, ts, hash) values (:fid, :blocked, :ts, :hash)'),
  ).not.toContain('null');
  expect(
    await typesOf('insert into api_key (id, name, expires_at, hash) values (:id::uuid, :name, :end, :hash)'),
  ).toContain('params: { id: string; name: string; end: Date | null; hash: Uint8Array };');
});

test('columns have the values that the table allows, and the types that the program gives them', async () => {
  expect(await typesOf('select state from plan_change where id = :id')).toMatch(/state: '\w+' \| '\w+'/);
  const refined = new Set(['cast.embeds', 'sample.place']);
  expect(await typesOf('select embeds, 1 as "place!" from "cast"', refined)).toContain(
    "row: { embeds: ColumnTypes['cast.embeds']; place: ColumnTypes['sample.place'] };",
  );
});

test('a parameter without a name is an error', async () => {
  await expect(typesOf('select fid from account where fid = $1')).rejects.toThrow('parameters of sample have no names');
});

test('a column with an underscore is an error that says what to write', async () => {
  const message = 'The column custody_address of sample needs a name in camelCase: as "custodyAddress"';
  await expect(typesOf('select fid, custody_address from account')).rejects.toThrow(message);
  await expect(typesOf('delete from account where fid = :fid returning custody_address')).rejects.toThrow(message);
  const named = 'select custody_address as "custodyAddress" from account';
  expect(await typesOf(named)).toContain('row: { custodyAddress: Buffer | null };');
});

test('what PostgreSQL does not accept is an error with its message', async () => {
  await expect(typesOf('select nothing from account')).rejects.toThrow('column "nothing" does not exist');
  // And the next statement is described.
  expect(await typesOf('delete from ban')).toContain('params: NoParams;\n    row: unknown;');
});
