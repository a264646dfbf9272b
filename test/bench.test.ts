import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, startChild } from '../bench/child.js';
import { compareRows } from '../bench/comparison.js';
import { middleRound } from '../bench/dialect.js';
import type { LoadInput, LoadResult } from '../bench/load.js';
import type { LoadFigure } from '../bench/measurement.js';
import { growthRows, readRows } from '../bench/read-table.js';
import { type RelationSize, renderSizes } from '../bench/size.js';
import { meteringRows, namesRows, renderTable } from '../bench/table.js';

let server: Server;
let generator: Child<LoadInput, LoadResult>;
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.headers['x-api-key']} ${request.url}`);
    const size = Number(request.url?.slice(1));
    if (Number.isNaN(size)) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': size }).end(Buffer.alloc(size, 'a'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  generator = startChild('load.ts');
});
afterAll(async () => {
  await generator.stop();
  server.closeAllConnections();
  server.close();
});

const input = (paths: readonly string[]): LoadInput => ({
  port: (server.address() as AddressInfo).port,
  apiKey: 'secret',
  paths,
  connections: 3,
});

test('every path is asked for once, and bodies of any size are counted', async () => {
  const sizes = [0, 1, 300, 65_000, 65_536, 1_000_000, 7];
  const answer = await generator.ask(input(sizes.map((size) => `/${size}`)));
  expect(seen.splice(0).sort()).toEqual(sizes.map((size) => `secret /${size}`).sort());
  expect(answer.requests).toBe(sizes.length);
  expect(answer.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  expect(answer.p99).toBeGreaterThanOrEqual(answer.p50);
});

test('a measurement ends on time and asks for the paths again and again', async () => {
  const answer = await generator.ask({ ...input(['/100', '/200']), seconds: 0.3 });
  expect(answer.seconds).toBeGreaterThanOrEqual(0.3);
  expect(answer.seconds).toBeLessThan(3);
  expect(answer.requests).toBe(seen.splice(0).length);
  expect(Math.abs(answer.bytes / answer.requests - 150)).toBeLessThan(1);
});

test('a load goes on where the last one stopped', async () => {
  const paths = ['/1', '/2', '/3', '/4', '/5'];
  const first = await generator.ask({ ...input(paths), seconds: 0.2, connections: 1 });
  const last = seen.splice(0).at(-1) as string;
  expect(last).toBe(`secret /${first.next === 0 ? 5 : first.next}`);
  const second = await generator.ask({ ...input(paths), from: 3, times: 2, connections: 1 });
  expect(seen.splice(0).map((one) => one.slice(-1))).toEqual(['4', '5', '1', '2', '3', '4', '5', '1', '2', '3']);
  expect(second.next).toBe(3);
});

test('bodies are posted, each to its path', async () => {
  const bodies = ['{"like":"🍅"}', '{}'];
  const posted: string[] = [];
  const watch = (request: IncomingMessage) => {
    let text = `${request.method} ${request.headers['content-type']} ${request.url} `;
    request.setEncoding('utf8').on('data', (part) => {
      text += part;
    });
    request.on('end', () => posted.push(text));
  };
  server.on('request', watch);
  const answer = await generator.ask({ ...input(['/10', '/20']), bodies });
  server.off('request', watch);
  expect(answer.requests).toBe(2);
  expect(posted.sort()).toEqual([`POST application/json /10 ${bodies[0]}`, `POST application/json /20 ${bodies[1]}`]);
  seen.splice(0);
});

test('keys are used in turn', async () => {
  await generator.ask({ ...input(['/1', '/2', '/3']), apiKeys: ['one', 'two'], connections: 1 });
  expect(seen.splice(0)).toEqual(['one /1', 'two /2', 'one /3']);
});

test('an answer that is not 200 ends the measurement', async () => {
  const other: Child<LoadInput, LoadResult> = startChild('load.ts');
  await expect(other.ask(input(['/10', '/unknown']))).rejects.toThrow('load.ts ended with code 1');
});

test('the table says which targets are met', () => {
  const target = { repeated: 0.25, uncached: 0.1 };
  const figure = (rate: number): LoadFigure => ({ rate, p50: 1.25, p99: 31.4, bytes: 2048, cpu: 90 });
  const operation = { id: 'x', name: 'x', of: 'cast' as const, idsPerRequest: 1, path: () => '/', target };
  const zipf = { service: figure(1), statements: { ...figure(4), bytes: 0 } };
  const uncached = { service: figure(999), statements: { ...figure(2000), bytes: 0 } };
  const underWrites = { ...figure(1250), writes: 149.7 };
  const figures = { operation, repeated: figure(2500), underWrites, zipf, uncached, limit: figure(10_000) };
  const rows = renderTable(readRows(figures, true))
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .slice(2)
    .map((line) => line.slice(1, -1));
  const common = ['1.3', '31', '90', '10,000 requests/s'];
  expect(rows).toEqual([
    ['x, repeated', '2,500 requests/s of 2.0 KiB', ...common, '25%', '', '', '>= 25%', 'ok'],
    ['x, repeated, under writes', '1,250 requests/s of 2.0 KiB, 150 writes/s', ...common, '12%', '', '', '', ''],
    ['x, Zipf', '1 requests/s of 2.0 KiB', ...common, '0.0%', '4 pages/s at 90 µs, p99 31 ms', '25%', '', ''],
    // Just missed, so it must not read 10%.
    [
      'x, uncached',
      '999 requests/s of 2.0 KiB',
      ...common,
      '9.9%',
      '2,000 pages/s at 90 µs, p99 31 ms',
      '49%',
      '>= 10%',
      'missed',
    ],
    ['x, limit', '10,000 requests/s of 2.0 KiB', '1.3', '31', '90', '', '', '', '', '', ''],
  ]);
  expect(renderTable(readRows(figures, false))).not.toMatch(/ok|missed/);
});

test('growth is by how much longer a request takes on the larger network, and is held against its target', () => {
  const figure = (rate: number, bytes: number): LoadFigure => ({ rate, p50: 1, p99: 2, bytes, cpu: 90 });
  const operation = { id: 'x', name: 'x', of: 'cast' as const, idsPerRequest: 1, path: () => '/' };
  const pair = (small: number, large: number) => [figure(small, 1024), figure(large, 2048)] as const;
  const growth = { operation, repeated: pair(1310, 1000), uncached: pair(1300, 1000) };
  expect(growthRows(growth).map(({ what, measured, target }) => [what, measured, target])).toEqual([
    [
      'x, growth, repeated',
      'x1.31, from 1,310 to 1,000 requests/s of 1.0 and 2.0 KiB',
      { text: '<= x1.3', isMet: false },
    ],
    [
      'x, growth, uncached',
      'x1.30, from 1,300 to 1,000 requests/s of 1.0 and 2.0 KiB',
      { text: '<= x1.3', isMet: true },
    ],
  ]);
});

test('metering is held against the same read without', () => {
  const figure = { rate: 949, p50: 1, p99: 2, bytes: 1024, cpu: 100, databaseCpu: 3.14 };
  const operation = { id: 'x', name: 'x', of: 'cast' as const, idsPerRequest: 1, path: () => '/' };
  const without = { ...figure, rate: 1000, cpu: 95, databaseCpu: 2 };
  const one = { operation, keys: 'one key' as const, mode: 'enforce' as const, figure, without };
  const elsewhere = { ...without, rate: 998, databaseCpu: undefined };
  const [missed, met] = meteringRows([one, { ...one, without: elsewhere }]);
  expect(missed).toMatchObject({
    what: 'x, metered: enforce, one key',
    measured: '949 requests/s, database 3.1 µs',
    limit: '1,000 requests/s at 95 µs, database 2.0 µs',
  });
  expect(met?.limit).toBe('998 requests/s at 95 µs');
  expect([missed?.target, met?.target]).toEqual([
    { text: '>= 95%', isMet: false },
    { text: '>= 95%', isMet: true },
  ]);
});

test("the ecosystem's names are held against the same round in neutral ones", () => {
  const figure = (rate: number): LoadFigure => ({ rate, p50: 1, p99: 2, bytes: 1024, cpu: 100 });
  const operation = { id: 'x', name: 'x', of: 'cast' as const, idsPerRequest: 1, path: () => '/' };
  const round = (ecosystem: number, neutral: number) => ({ ecosystem: figure(ecosystem), neutral: figure(neutral) });
  const middle = middleRound([round(500, 1000), round(949, 1000), round(600, 500)]);
  const [missed, met] = namesRows([
    { operation, ...middle },
    { operation, ...round(950, 1000) },
  ]);
  expect(missed).toMatchObject({ what: "x, in the ecosystem's names", limit: '1,000 requests/s at 100 µs' });
  expect([missed?.target?.isMet, met?.target?.isMet]).toEqual([false, true]);
});

test('sizes are shown for each message, small relations together', () => {
  const relation = (name: string, kind: RelationSize['kind'], bytes: number): RelationSize => ({
    name,
    kind,
    rows: 50,
    bytes,
  });
  const text = renderSizes(
    [relation('a', 'heap', 20_000), relation('a_pkey', 'index', 10_000), relation('b', 'heap', 40)],
    100,
  );
  const rows = text.split('\n').map((line) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
  expect(rows.slice(2)).toEqual([
    ['a', 'heap', '50', '400', '200.0', '133'],
    ['a_pkey', 'index', '50', '200', '100.0', '67'],
    ['1 smaller ones', '', '', '', '0.4', '0'],
    ['all', '', '', '', '300.4', '200'],
  ]);
});

test('a share of a limit that fell by more than a tenth is found, whatever the rates are', () => {
  const row = (what: string, share: number, statementShare?: number) => ({
    what,
    measured: '1 requests/s',
    share,
    ...(statementShare === undefined ? {} : { statementShare }),
  });
  const last = `2 cores.\n\n${renderTable([row('a', 0.4, 0.6), row('b', 0.031), { what: 'c', measured: '5 MB' }])}`;
  const now = [row('a', 0.37, 0.5), row('b', 0.027), { what: 'c', measured: '9 MB' }, row('new', 0.01)];
  expect(compareRows(now, last)).toEqual({ compared: 3, falls: ['a: 50% instead of 60%', 'b: 2.7% instead of 3.1%'] });
  expect(compareRows([row('a', 0.37, 0.55)], last).falls).toEqual([]);
});
