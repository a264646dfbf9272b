import { getInsecureHubRpcClient, type HubEvent, type HubRpcClient } from '@farcaster/hub-nodejs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Signed } from '../src/sample/signed-message.js';
import { type Network, startNetwork } from './support/network.js';
import { FIDS, type Seeded, seedBasics } from './support/seed.js';

let network: Network;
let seeded: Seeded;
let client: HubRpcClient;
beforeAll(async () => {
  network = await startNetwork({ CASTELLAN_PUBLIC_READS: 'hub' }, undefined, { hubRpc: {} });
  seeded = await seedBasics(async (items) => expect((await network.load(items)).invalid).toEqual({}));
  client = getInsecureHubRpcClient(network.hubRpc);
});
afterAll(async () => {
  client.close();
  await network.stop();
});

const hashOf = ({ hash }: { readonly hash: Uint8Array }): string => Buffer.from(hash).toString('hex');

const eventsFrom = async (startId: number): Promise<HubEvent[]> =>
  (await client.getEvents({ startId }))._unsafeUnwrap().events;

/** What the events of these messages say: the hash of the merged message, and those of the deleted ones, sorted. */
const submit = async (...messages: Signed[]): Promise<readonly (readonly [string, readonly string[]])[]> => {
  const newest = (await eventsFrom(0)).at(-1)?.id ?? 0;
  const items = messages.map(({ item }) => item);
  await network.app.core.ingest.submit(items, { source: 'local', announce: true });
  return (await eventsFrom(newest + 1)).map(({ mergeMessageBody: body, pruneMessageBody: pruned }) =>
    body?.message
      ? [hashOf(body.message), body.deletedMessages.map(hashOf).sort()]
      : ['', [hashOf(pruned?.message as never)]],
  );
};

test('a compact state deletes removals, and additions that it does not list; a later one brings back what it lists', async () => {
  const { heidi } = seeded;
  const [kept, dropped, block] = [heidi.follow(FIDS.bob), heidi.follow(FIDS.carol), heidi.link('block', FIDS.frank)];
  const removal = heidi.unfollow(FIDS.dan);
  await submit(kept, dropped, block, removal);
  const first = heidi.compactLinks('follow', [FIDS.bob]);
  expect(await submit(first)).toEqual([[hashOf(first), [hashOf(dropped), hashOf(removal)].sort()]]);
  // A hub has deleted what a state leaves out, so who follows its events knows it no more.
  const second = heidi.compactLinks('follow', [FIDS.bob, FIDS.carol]);
  expect(await submit(second)).toEqual([
    [hashOf(second), [hashOf(first)]],
    [hashOf(dropped), []],
  ]);
  const links = (await client.getAllLinkMessagesByFid({ fid: FIDS.heidi }))._unsafeUnwrap().messages;
  expect(links.map(hashOf).sort()).toEqual([kept, dropped, block].map(hashOf).sort());
});

test('a removal that is older than a compact state takes the link away that the state lists', async () => {
  const { grace } = seeded;
  const follow = grace.follow(FIDS.bob);
  const late = grace.unfollow(FIDS.bob);
  await submit(follow, grace.compactLinks('follow', [FIDS.bob]));
  expect(await submit(late)).toEqual([['', [hashOf(follow)]]]);
  expect((await client.getAllLinkMessagesByFid({ fid: FIDS.grace }))._unsafeUnwrap().messages).toEqual([]);
});
