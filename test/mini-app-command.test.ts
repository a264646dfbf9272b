import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { scoreMiniApps } from '../src/job/mini-app-score.js';
import { runCommandIn } from './support/command.js';
import { miniApp, signedHouse, startZoo, type Zoo } from './support/mini-app-zoo.js';
import { type Network, startNetwork } from './support/network.js';
import { registerAccount } from './support/signer.js';

/** The commands about the catalog of mini apps. */

const OWNER = 8_400;

let network: Network;
let zoo: Zoo;
let owner: Parameters<typeof signedHouse>[0];
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_ALLOW_LOOPBACK_TARGETS: 'true' });
  zoo = await startZoo();
  owner = { account: (await registerAccount(network, OWNER)).account, fid: OWNER };
});
afterAll(async () => {
  await zoo.stop();
  await network.stop();
});
beforeEach(() => network.sql('delete from catalog_domain'));

const run = (name: string, ...args: string[]) => runCommandIn(network, `miniapp ${name}`, args);
const titles = async (): Promise<string[]> =>
  (await network.get('/v2/social/frame/catalog/')).body.frames.map(({ title }: { title: string }) => title);

test('a developer reads what is wrong with a manifest, and sees it listed once it is right', async () => {
  const domain = zoo.domain('chess');
  let more: Record<string, unknown> = { tags: 'game' };
  zoo.house(
    'chess',
    signedHouse(owner, (origin) => miniApp(origin, more)),
  );
  expect((await run('list')).notes).toContain('No mini app is listed');
  const wrong = await run('fetch', domain);
  expect(wrong).toMatchObject({
    code: 1,
    out: "The manifest's miniapp.tags must be array.",
    notes: expect.stringContaining('fetch it again'),
  });
  expect((await run('list')).notes).toContain('No mini app is listed');
  expect((await run('list', '--all')).out).toContain('miniapp.tags must be array');
  more = { tags: ['game'] };
  const right = await run('fetch', domain.toUpperCase());
  expect(right).toMatchObject({ code: 0, out: `Chess of account ${OWNER} is listed.` });
  expect(await titles()).toEqual(['Chess']);
  expect((await run('list')).out).toMatch(new RegExp(`^${domain} +Chess +${OWNER} +- +- +`, 'm'));
  await scoreMiniApps(network.app.core.db, Date.now());
  expect((await run('list')).out).toMatch(new RegExp(`^${domain} +Chess +${OWNER} +0\\.00 +- +`, 'm'));
  const shown = await run('show', domain);
  expect(shown.out).toMatch(/^fault +-$/m);
  expect(shown.out).toContain('"description": "Play a game of chess."');
  // A lasting fault takes it out of the lists at once.
  more = { noindex: true };
  expect((await run('fetch', domain)).code).toBe(1);
  expect(await titles()).toEqual([]);
});

test('featured mini apps come first, hidden ones are in no list, and both can be undone', async () => {
  for (const name of ['a', 'b', 'c']) {
    zoo.house(
      name,
      signedHouse(owner, (origin) => miniApp(origin, { name })),
    );
    await run('fetch', zoo.domain(name));
  }
  expect(await titles()).toEqual(['a', 'b', 'c']);
  expect((await run('feature', zoo.domain('c'))).notes).toContain('at the beginning');
  expect(await titles()).toEqual(['c', 'a', 'b']);
  await run('hide', zoo.domain('a'));
  expect(await titles()).toEqual(['c', 'b']);
  // What the operator decided outlives a new manifest.
  await run('fetch', zoo.domain('a'));
  expect(await titles()).toEqual(['c', 'b']);
  await run('hide', zoo.domain('a'), '--undo');
  await run('feature', zoo.domain('c'), '--undo');
  expect(await titles()).toEqual(['a', 'b', 'c']);
});

test('what cannot be is refused with what to do', async () => {
  const cases: [string, string[], RegExp][] = [
    ['fetch', ['https://a.example/'], /host name like miniapp\.example/],
    ['fetch', ['10.0.0.1'], /host name/],
    ['show', ['nowhere.example'], /castellan miniapp fetch nowhere\.example/],
    ['feature', ['nowhere.example'], /castellan miniapp fetch/],
    ['hide', ['nowhere.example'], /castellan miniapp fetch/],
    ['list', ['--limit', '0'], /from 1 to/],
  ];
  for (const [name, args, message] of cases) await expect(run(name, ...args)).rejects.toThrow(message);
  expect(await network.sql('select from catalog_domain')).toEqual([]);
});
