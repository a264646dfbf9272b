import { getInsecureHubRpcClient, type HubRpcClient } from '@farcaster/hub-nodejs';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventIdOf } from '../src/protocol/event/place.js';
import { fromUnixMs } from '../src/protocol/time.js';
import { HubSubscriber } from './support/hub-subscriber.js';
import { type Network, startNetwork } from './support/network.js';
import { rounds } from './support/rounds.js';
import { checkScripts, playScript, type ScriptStart, type Step, scripts, scriptsOf } from './support/store-script.js';

let network: Network;
let client: HubRpcClient;
let subscriber: HubSubscriber;
beforeAll(async () => {
  network = await startNetwork({}, undefined, { hubRpc: {} });
  client = getInsecureHubRpcClient(network.hubRpc);
  subscriber = new HubSubscriber(client, network.apiKey);
  await subscriber.start();
});
afterAll(async () => {
  subscriber.kill();
  client.close();
  await network.stop();
});

/** Ids of messages that the store holds, without links that a compact state excludes. */
const storedHashes = async (fids: readonly number[]): Promise<string[]> => {
  const rows = await network.app.core.db.run<{ hash: Buffer }>(
    'select hash from message where fid = any($1) and not void',
    [fids],
  );
  return rows.map(({ hash }) => hash.toString('hex')).sort();
};

const newestId = async (): Promise<number> => {
  const [row] = await network.app.core.db.run<{ id: number }>('select max(id) as id from hub_event where type > 0');
  return eventIdOf(row?.id ?? 0);
};

/** Submits a script in batches, while the subscriber is killed at random, and compares what it holds with the store. */
const check = async (steps: readonly Step[], size: number, start?: ScriptStart): Promise<void> => {
  const script = await playScript(steps, fromUnixMs(Date.now()), start);
  const [kills] = fc.sample(fc.array(fc.boolean(), { minLength: 200, maxLength: 200 }), 1) as [boolean[]];
  for (let at = 0, turn = 0; at < script.told.length; at += size, turn++) {
    const batch = script.told.slice(at, at + size);
    await network.app.core.ingest.submit(batch, { source: 'hub', announce: true });
    if (kills[turn % kills.length]) subscriber.kill();
    if (kills[(turn + 7) % kills.length]) await subscriber.start();
  }
  subscriber.kill();
  await subscriber.start();
  const newest = await newestId();
  await expect.poll(() => subscriber.lastId, { timeout: 20_000 }).toBe(newest);
  expect(subscriber.error).toBeUndefined();
  expect(subscriber.ids).toEqual([...new Set(subscriber.ids)].sort((a, b) => a - b));
  expect(subscriber.hashesOf(script.fids)).toEqual(await storedHashes(script.fids));
};

test('a program that follows the events holds what the store holds, however often it is killed', async () => {
  await checkScripts(scripts(60), rounds(40), (steps) => check(steps, 4));
}, 120_000);

test.each([
  ['addresses', ['verify', 'verifyFurther', 'removeVerification', 'primary', 'rent', 'lend', 'again']],
  ['casts', ['cast', 'cast', 'removeCast', 'lend', 'again']],
  ['reactions', ['cast', 'react', 'react', 'unreact', 'lend', 'again']],
  ['links', ['link', 'link', 'unlink', 'unlink', 'compact', 'lend', 'again']],
] as const)(
  'with as many %s as there is storage for',
  async (full, acts) => {
    await checkScripts(scriptsOf(40, acts, 20), rounds(3), (steps) => check(steps, 6, { full }));
  },
  120_000,
);
